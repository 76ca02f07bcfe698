import { ESTIMATE_TIMEOUT_MS } from '../../../contract/limits.ts';
import type { Agent } from '../../access/gate.ts';
import type { Deps } from '../../deps.ts';
import type { JobData } from '../../jobs/jobs.ts';
import { judgementIn, task, textOf } from './form.ts';
import * as store from './store.ts';

/** What is needed from other features. */
export interface Around {
  /** Has the agent's model write, for a credit; undefined if none can write. */
  write: (
    agent: Agent,
    task: { task: string; text: string; clean: (written: string) => string },
    signal: AbortSignal,
  ) => Promise<string | undefined>;
}

/**
 * Asks the agent's model to assess a conversation. If it fails, refuses, takes too long or answers in another form, the
 * conversation gets no estimate: the model is asked again only once more has been said.
 */
export function estimateConversation({ db, log }: Pick<Deps, 'db' | 'log'>, { write }: Around) {
  return async (key: JobData['conversation.estimate'], signal: AbortSignal): Promise<void> => {
    const { organizationId, conversationId } = key;
    const { agent, said } = await db.in({ organizationId }, async (tx) => ({
      agent: await store.findAgent(tx, key),
      said: await store.listSaid(tx, key),
    }));
    if (!agent || said.length === 0) return;
    const clean = (written: string) => (judgementIn(written) ? written : '');
    const both = AbortSignal.any([signal, AbortSignal.timeout(ESTIMATE_TIMEOUT_MS)]);
    const written = await write(agent, { task, text: textOf(said), clean }, both).catch((error: unknown) => {
      // Another process continues with it.
      signal.throwIfAborted();
      log.warn({ err: error, conversationId }, 'a conversation could not be estimated');
      return undefined;
    });
    const judgement = judgementIn(written ?? '');
    if (judgement) await db.in({ organizationId }, (tx) => store.writeEstimate(tx, key, judgement));
  };
}
