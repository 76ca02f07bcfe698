import { accountMessages } from './en-account.ts';
import { agentMessages } from './en-agent.ts';
import { appMessages } from './en-app.ts';
import { firstMessages } from './en-first.ts';
import { knowledgeMessages } from './en-knowledge.ts';
import { laterMessages } from './en-later.ts';
import { modelsMessages } from './en-models.ts';
import { peopleMessages } from './en-people.ts';

/** Every text of the interface but the conversation's own (`en-chat.ts`), which pages without the rest show too. */
export const en = {
  ...firstMessages,
  ...agentMessages,
  ...appMessages,
  ...knowledgeMessages,
  ...accountMessages,
  ...peopleMessages,
  ...modelsMessages,
  ...laterMessages,
} as const;
