import type { Conversation } from '../contract/chat.ts';
import { api } from './api.ts';
import type { TransportSetup } from './chat-transport.ts';
import { ensureSignedIn } from './session.ts';

/**
 * Makes the conversation when it is needed. The first message begins it: with that it is listed, and the page is told. One that
 * a file or a recording needs before is temporary until then, so that whoever leaves without a word leaves nothing behind.
 */
export function createOpener(setup: TransportSetup) {
  let id = setup.conversationId;
  let opening: Promise<string> | null = null;
  /** Made, and nothing said in it yet. */
  let silent: Conversation | null = null;

  const make = async (temporary: boolean): Promise<string> => {
    await ensureSignedIn();
    const { agentId, version, dryRun } = setup;
    ({ conversation: silent } = await api.chat.create({ chatbotId: agentId, temporary, version, dryRun }));
    return (id = silent.id);
  };
  const open = async (temporary = true): Promise<string> =>
    id ?? (opening ??= make(temporary).finally(() => (opening = null)));

  /** Errors: what was made for a file stays temporary, and is begun when the message is sent again. */
  const begin = async (): Promise<string> => {
    const isTemporary = setup.version !== undefined || (setup.isTemporary?.() ?? false);
    const begun = await open(isTemporary);
    if (!silent) return begun;
    const isToKeep = silent.temporary && !isTemporary;
    const made = isToKeep ? (await api.history.update({ id: begun, temporary: false })).conversation : silent;
    silent = null;
    setup.onCreated?.(made);
    return begun;
  };

  return { open: () => open(), begin, current: () => id };
}
