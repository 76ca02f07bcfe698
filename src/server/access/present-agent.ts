import { Appearance, worn } from '../../contract/appearance.ts';
import type { Chatbot, PublicAgent } from '../../contract/chatbot.ts';
import { disclosureOf } from './disclosure.ts';
import type { Agent } from './gate.ts';

/** Fills in what an agent saved by an earlier version lacks. */
const appearanceOf = (agent: Agent) => Appearance.parse(agent.appearance);

/** What members see. */
export function chatbotOf(agent: Agent): Chatbot {
  const { deletedAt, createdAt, updatedAt, ...rest } = agent;
  return {
    ...rest,
    appearance: appearanceOf(agent),
    status: deletedAt ? 'deleted' : 'live',
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}

/** What everyone who may chat with it sees; `language`: the reader's. */
export function publicAgentOf(agent: Agent, language?: string): PublicAgent {
  const { id, name, handle, profilePhoto, voiceEnabled, offersPerson } = agent;
  const { conversationStarters, welcomeMessage } = agent;
  const appearance = worn(appearanceOf(agent));
  return {
    id,
    name,
    handle,
    profilePhoto,
    appearance,
    voiceEnabled,
    offersPerson,
    conversationStarters,
    welcomeMessage,
    disclosureText: disclosureOf(agent, language),
  };
}
