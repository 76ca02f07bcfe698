import { ApiError } from '../../contract/client.ts';
import { keepDraft, readDraft } from '../chat/drafts.ts';

interface Made {
  id: string;
  temporary: boolean;
}

interface OpenerSetup<C extends Made> {
  /** Null if one is to be created. */
  conversationId: string | null;
  /** The key under which a created conversation without messages is found again after a reload. */
  keptAs: string;
  /** Runs before one is created; looking up an existing one needs nothing. */
  ready?: () => Promise<unknown>;
  make: (temporary: boolean) => Promise<C>;
  read: (id: string) => Promise<C>;
  /** Makes a temporary one permanent. */
  keep: (id: string) => Promise<C>;
  isTemporary: () => boolean;
  onBegun: (conversation: C) => void;
}

/**
 * Creates the conversation when it is needed. The first message begins it: then it is listed, and the page is notified.
 * If a file or a recording needs it earlier, it is temporary until then, so that leaving without a message leaves
 * nothing behind.
 */
export function createOpener<C extends Made>(setup: OpenerSetup<C>) {
  const { ready, make, read, keep, isTemporary, onBegun } = setup;
  const place = `silent ${setup.keptAs}`;
  let id = setup.conversationId;
  let opening: Promise<string> | null = null;
  /** Created, with nothing said in it yet. */
  let silent: C | null = null;

  const take = (conversation: C): string => {
    silent = conversation;
    keepDraft(place, conversation.id);
    return (id = conversation.id);
  };
  const find = async (): Promise<string | null> => {
    const before = readDraft(place);
    if (before === '') return null;
    const found = await read(before).catch((error: unknown) => {
      // A signed-out person may be about to sign in again.
      if (error instanceof ApiError && error.status < 500 && error.status !== 401) return null;
      throw error;
    });
    // If it is permanent by now, it was begun in another tab.
    if (found?.temporary) return take(found);
    keepDraft(place, '');
    return null;
  };
  /** The existing one; null if none was created. */
  const resume = async (): Promise<string | null> => id ?? find();
  const makeOrResume = async (temporary: boolean): Promise<string> => {
    await ready?.();
    return (await resume()) ?? take(await make(temporary));
  };
  const open = async (temporary = true): Promise<string> =>
    id ?? (opening ??= makeOrResume(temporary).finally(() => (opening = null)));

  /** On an error, a conversation created for a file stays temporary, and is begun when the message is resent. */
  const begin = async (): Promise<string> => {
    const begun = await open(isTemporary());
    if (!silent) return begun;
    const made = silent.temporary && !isTemporary() ? await keep(begun) : silent;
    silent = null;
    keepDraft(place, '');
    onBegun(made);
    return begun;
  };

  /** Continues one that was begun elsewhere. False if one is open or being created here. */
  const takeUp = (begun: C): boolean => {
    if (id !== null || opening) return false;
    id = begun.id;
    onBegun(begun);
    return true;
  };

  return { open: () => open(), begin, resume, takeUp, current: () => id };
}
