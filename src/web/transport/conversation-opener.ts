import { ApiError } from '../../contract/client.ts';
import { keepDraft, readDraft } from '../chat/drafts.ts';

interface Made {
  id: string;
  temporary: boolean;
}

interface OpenerSetup<C extends Made> {
  /** Null where one is to be made. */
  conversationId: string | null;
  /** One that was made and in which nothing was said is found again under it when the page is loaded anew. */
  keptAs: string;
  /** What is needed before one is made; to look for one that was made needs nothing. */
  ready?: () => Promise<unknown>;
  make: (temporary: boolean) => Promise<C>;
  read: (id: string) => Promise<C>;
  /** Has a temporary one kept. */
  keep: (id: string) => Promise<C>;
  isTemporary: () => boolean;
  onBegun: (conversation: C) => void;
}

/**
 * Makes the conversation when it is needed. The first message begins it: with that it is listed, and the page is told. One that
 * a file or a recording needs before is temporary until then, so that whoever leaves without a word leaves nothing behind.
 */
export function createOpener<C extends Made>(setup: OpenerSetup<C>) {
  const { ready, make, read, keep, isTemporary, onBegun } = setup;
  const place = `silent ${setup.keptAs}`;
  let id = setup.conversationId;
  let opening: Promise<string> | null = null;
  /** Made, and nothing said in it yet. */
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
      // Who is signed out may be about to sign in again.
      if (error instanceof ApiError && error.status < 500 && error.status !== 401) return null;
      throw error;
    });
    // Kept by now, it has been begun in another tab.
    if (found?.temporary) return take(found);
    keepDraft(place, '');
    return null;
  };
  /** The one that there is; null where none was made. */
  const resume = async (): Promise<string | null> => id ?? find();
  const makeOrResume = async (temporary: boolean): Promise<string> => {
    await ready?.();
    return (await resume()) ?? take(await make(temporary));
  };
  const open = async (temporary = true): Promise<string> =>
    id ?? (opening ??= makeOrResume(temporary).finally(() => (opening = null)));

  /** Errors: what was made for a file stays temporary, and is begun when the message is sent again. */
  const begin = async (): Promise<string> => {
    const begun = await open(isTemporary());
    if (!silent) return begun;
    const made = silent.temporary && !isTemporary() ? await keep(begun) : silent;
    silent = null;
    keepDraft(place, '');
    onBegun(made);
    return begun;
  };

  /** Goes on with one that was begun elsewhere. False where one is open or being made here. */
  const takeUp = (begun: C): boolean => {
    if (id !== null || opening) return false;
    id = begun.id;
    onBegun(begun);
    return true;
  };

  return { open: () => open(), begin, resume, takeUp, current: () => id };
}
