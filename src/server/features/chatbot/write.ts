import type { Agent } from '../../access/gate.ts';
import { AppError } from '../../app-error.ts';
import type { Deps } from '../../deps.ts';
import { ask } from '../../llm/ask.ts';
import { EXTRACTIVE_MODEL } from '../../llm/models.ts';
import { holdCredit, keepCredit, returnCredit } from '../billing/store.ts';

const MAX_OUTPUT_TOKENS = 4000;

interface Task {
  /** What the model is told to do, and the text to do it with. */
  task: string;
  text: string;
  /** The usable part of its output; empty if there is none. */
  clean: (written: string) => string;
}

/** Has the agent's own model write something for its members. */
type Write = (agent: Agent, task: Task, signal: AbortSignal) => Promise<string | undefined>;

/**
 * Holds a credit, which is returned if no model answers, nobody waits for it any more, or the process dies. Undefined
 * without a model that can write. Errors: 402 without credits, 503.
 */
export function writingIn({
  db,
  config,
  models,
  log,
}: Pick<Deps, 'db' | 'config' | 'models' | 'log'>): Write {
  return async ({ id: agentId, organizationId, modelSettings }, { task, text, clean }, signal) => {
    const { models: chain, patience } = await models.chain(organizationId, modelSettings);
    const writers = chain.filter((each) => each.name !== EXTRACTIVE_MODEL);
    if (writers.length === 0) return undefined;
    const hold = await db.in({ organizationId }, (tx) => holdCredit(tx, config, organizationId));
    for (const { model, circuit, name: modelName } of writers) {
      if (!circuit.mayTry()) continue;
      let written = '';
      const { failure } = await ask(model, {
        prompt: [
          { role: 'system', content: task },
          { role: 'user', content: [{ type: 'text', text }] },
        ],
        maxOutputTokens: MAX_OUTPUT_TOKENS,
        ...patience,
        signal,
        onText: (delta) => {
          written += delta;
        },
      });
      // Nobody receives the partial output, and no other model is called.
      if (signal.aborted) break;
      const usable = clean(written);
      if (!failure && usable !== '') {
        circuit.succeeded();
        if (hold) await db.in({ organizationId }, (tx) => keepCredit(tx, hold));
        return usable;
      }
      if (failure && !failure.isRefusal) circuit.failed();
      log.warn({ err: failure, agentId, model: modelName }, 'a model returned no usable text for a member');
    }
    if (hold) await db.in({ organizationId }, (tx) => returnCredit(tx, hold));
    throw new AppError('model/unavailable', 'The model did not answer.');
  };
}
