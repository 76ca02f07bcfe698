import type { Chatbot, PublicAgent } from '../../contract/chatbot.ts';
import type { Agent } from './gate.ts';

/** What members see. */
export function chatbotOf(agent: Agent): Chatbot {
  const { deletedAt, createdAt, updatedAt, ...rest } = agent;
  return {
    ...rest,
    status: deletedAt ? 'deleted' : 'live',
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}

/** What everybody sees who may chat with it. */
export function publicAgentOf(agent: Agent): PublicAgent {
  const { id, name, handle, profilePhoto, appearance, voiceEnabled, conversationStarters, welcomeMessage } =
    agent;
  return { id, name, handle, profilePhoto, appearance, voiceEnabled, conversationStarters, welcomeMessage };
}
