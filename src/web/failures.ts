/** What the browser asks for, as it is called when it fails. */
export type Failure =
  | 'getOrganization'
  | 'getChatbots'
  | 'getChatbot'
  | 'updateChatbot'
  | 'createChatbot'
  | 'deleteChatbot'
  | 'getAllKnowledge'
  | 'getKnowledge'
  | 'createKnowledge'
  | 'updateKnowledge'
  | 'deleteKnowledge'
  | 'getVersions'
  | 'publishVersion'
  | 'getTests'
  | 'updateTests'
  | 'getTools'
  | 'createTool'
  | 'updateTool'
  | 'deleteTool'
  | 'testTool'
  | 'getAccounts'
  | 'deleteAccount'
  | 'getLeads'
  | 'deleteLead'
  | 'getPlugins'
  | 'updatePlugin'
  | 'getProducts'
  | 'updateProduct'
  | 'getConnectAccount'
  | 'getEarnings'
  | 'refundPurchase'
  | 'getPurchases'
  | 'getStorefront'
  | 'updateStorefront'
  | 'improveInstructions'
  | 'getUserRole'
  | 'getInbox'
  | 'getConversations'
  | 'getConversation'
  | 'createConversation'
  | 'updateConversation'
  | 'deleteConversation'
  | 'getChatLinks'
  | 'createChatLink'
  | 'deleteChatLink'
  | 'getUsage'
  | 'getSubscription'
  | 'updateSubscription'
  | 'getRoom'
  | 'joinRoom'
  | 'getAgent'
  | 'checkUsername'
  | 'createUser'
  | 'updateProfile'
  | 'getUser'
  | 'getOnboarding'
  | 'updateOnboarding'
  | 'updateOrganization'
  | 'getMembers'
  | 'getMember'
  | 'updateMember'
  | 'deleteMember'
  | 'getInvites'
  | 'getInvite'
  | 'createInvite'
  | 'updateInvite'
  | 'getTeams'
  | 'getTeam'
  | 'createTeam'
  | 'updateTeam'
  | 'deleteTeam'
  | 'getApiKeys'
  | 'createApiKey'
  | 'deleteApiKey'
  | 'getModels'
  | 'updateModelProvider'
  | 'deleteModelProvider'
  | 'testModelProvider'
  | 'getAudit'
  | 'signIn'
  | 'signOut';

/** As the specification has them; a failed change of an agent is logged as a failed read. */
const specified: Partial<Record<Failure, string>> = {
  getOrganization: 'Get organization request failed.',
  updateChatbot: 'GET CHATBOT request failed.',
  getAudit: 'GET AUDIT LOG request failed.',
};

/**
 * The message that the browser's console shows, word for word as the specification has it. All but a few are made of the name,
 * so that no page carries a list of them: `getChatbots` is `GET CHATBOTS request failed.`
 */
export function failureMessage(failure: Failure): string {
  const words = failure.replaceAll(/[A-Z]/g, (letter) => ` ${letter}`).toUpperCase();
  return specified[failure] ?? `${words} request failed.`;
}
