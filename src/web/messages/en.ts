import { accountMessages } from './en-account.ts';
import { agentMessages } from './en-agent.ts';
import { authMessages } from './en-auth.ts';
import { generalMessages } from './en-general.ts';
import { knowledgeMessages } from './en-knowledge.ts';
import { laterMessages } from './en-later.ts';
import { peopleMessages } from './en-people.ts';

/** Every text of the interface but the conversation's own (`en-chat.ts`), which pages without the rest show too. */
export const en = {
  ...generalMessages,
  ...authMessages,
  ...agentMessages,
  ...knowledgeMessages,
  ...accountMessages,
  ...peopleMessages,
  ...laterMessages,
} as const;
