import type { ChatCaller } from '../../call.ts';
import type { Deps } from '../../deps.ts';
import { ask, type Kept, type Sent } from './asking.ts';
import { TurnNotTaken, type NewQuestion, type Turn } from './turn-store.ts';

/**
 * Asks a question and passes what was started to `answer`, which must not reveal a turn before its `committed` resolves.
 * Turns that are all but certain to be granted start speculatively: the model is asked while the turn is still being
 * taken. If it can't be after all, the request to the model is aborted and the question is asked again without
 * speculation, which determines the reason. Errors: those of `ask` and of `answer`.
 */
export async function askThen<T>(
  deps: Deps,
  caller: ChatCaller,
  conversationId: string,
  question: NewQuestion,
  answer: (begun: Turn | Sent | Kept) => Promise<T>,
): Promise<T> {
  const begun = await ask(deps, caller, conversationId, question, { maySpeculate: true });
  try {
    return await answer(begun);
  } catch (error) {
    if (!(error instanceof TurnNotTaken)) throw error;
    return answer(await ask(deps, caller, conversationId, question));
  }
}
