/** The messages that the browser's console shows when a call fails, word for word as the specification has them. */
export const failures = {
  getOrganization: 'Get organization request failed.',
  getChatbots: 'GET CHATBOTS request failed.',
  getChatbot: 'GET CHATBOT request failed.',
  /** As the specification has it: a failed change is logged as a failed read. */
  updateChatbot: 'GET CHATBOT request failed.',
  createChatbot: 'CREATE CHATBOT request failed.',
  deleteChatbot: 'DELETE CHATBOT request failed.',
  getAllKnowledge: 'GET ALL KNOWLEDGE request failed.',
  getKnowledge: 'GET KNOWLEDGE request failed.',
  createKnowledge: 'CREATE KNOWLEDGE request failed.',
  updateKnowledge: 'UPDATE KNOWLEDGE request failed.',
  deleteKnowledge: 'DELETE KNOWLEDGE request failed.',
  getUserRole: 'GET USER ROLE request failed.',
  getConversations: 'GET CONVERSATIONS request failed.',
  getConversation: 'GET CONVERSATION request failed.',
  getAgent: 'GET AGENT request failed.',
  checkUsername: 'CHECK USERNAME request failed.',
  createUser: 'CREATE USER request failed.',
  updateProfile: 'UPDATE PROFILE request failed.',
  signIn: 'SIGN IN request failed.',
  signOut: 'SIGN OUT request failed.',
} as const;

export type Failure = keyof typeof failures;
