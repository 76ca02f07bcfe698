import { AppError, notFound } from '../../app-error.ts';
import type { Deps } from '../../deps.ts';
import { findConversationOfAgent } from '../chat/store.ts';
import type { Around } from './conversations.ts';
import type { People } from './people.ts';
import { HANDOVER_REASON_MAX_CHARACTERS } from '../../../contract/limits.ts';

/** How an agent asks for a person by itself. The result tells the model what will happen. Errors: `chat/no-person`. */
export function handOverIn({ db }: Pick<Deps, 'db'>, people: People, { notify }: Pick<Around, 'notify'>) {
  return async (
    { organizationId, conversationId }: { organizationId: string; conversationId: string },
    reason: string,
  ): Promise<string> => {
    const [key, notice] = await db.in({ organizationId }, async (tx) => {
      const open = await findConversationOfAgent(tx, conversationId, { lock: true });
      if (!open) throw notFound();
      if (open.conversation.agentVersion !== null)
        throw new AppError('chat/no-person', 'This is a trial: no one is notified.');
      const asked = { by: 'agent', reason: reason.trim().slice(0, HANDOVER_REASON_MAX_CHARACTERS) } as const;
      return [open.conversation, await people.ask(tx, open, asked)] as const;
    });
    people.heard(key);
    notify(key, [key.userId]);
    const told = 'The team has been told. A person answers in this conversation from now on.';
    return notice === null ? told : `${told} Nobody is there now; tell the person this: ${notice}`;
  };
}
