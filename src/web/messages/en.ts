import { accountMessages } from './en-account.ts';
import { agentMessages } from './en-agent.ts';
import { appMessages } from './en-app.ts';
import { authMessages } from './en-auth.ts';
import { billingMessages } from './en-billing.ts';
import { commandsMessages } from './en-commands.ts';
import { firstMessages } from './en-first.ts';
import { instructionsMessages } from './en-instructions.ts';
import { keepingMessages } from './en-keeping.ts';
import { knowledgeMessages } from './en-knowledge.ts';
import { looksMessages } from './en-looks.ts';
import { modelsMessages } from './en-models.ts';
import { peopleMessages } from './en-people.ts';
import { testsMessages } from './en-tests.ts';
import { versionsMessages } from './en-versions.ts';

/** All texts of the interface except the conversation's own (`en-chat.ts`), which pages without the rest show too. */
export const en = {
  ...firstMessages,
  ...agentMessages,
  ...appMessages,
  ...authMessages,
  ...knowledgeMessages,
  ...accountMessages,
  ...billingMessages,
  ...peopleMessages,
  ...modelsMessages,
  ...instructionsMessages,
  ...keepingMessages,
  ...testsMessages,
  ...versionsMessages,
  ...looksMessages,
  ...commandsMessages,
} as const;
