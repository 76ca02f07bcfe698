import { ANSWER_MAX_CHARACTERS, TOOL_STEPS_MAX } from '../../../contract/limits.ts';
import { costsOf, generate, nothingGenerated, type Generated, type Generation } from './generate.ts';
import type { ToolUse } from './tool-use.ts';

/**
 * Asks the model, does what it calls, tells it what came of that, and so on until it answers in words, a call waits for the
 * person, or it has been asked often enough; the last time it may call nothing. `said`: what it said before the answer went on.
 */
export async function generateInSteps(
  generation: Generation,
  tools: ToolUse,
  said: string,
): Promise<Generated> {
  const total: Generated = { ...nothingGenerated(), text: said };
  await tools.resume();
  if (tools.isWaiting) return { ...total, failed: false };
  for (let step = tools.stepsBefore; ; step += 1) {
    const mustAnswer = step >= TOOL_STEPS_MAX - 1 || total.text.length > ANSWER_MAX_CHARACTERS;
    const one = await generate({
      ...generation,
      model: only(generation.model, total),
      functions: tools.functions,
      steps: tools.steps,
      mustAnswer,
      between: total.text === '' ? '' : '\n\n',
      part: step,
    });
    addTo(total, one);
    const isOver = one.failed || one.calls.length === 0 || mustAnswer;
    if (isOver || generation.signal.aborted) return total;
    await tools.take(step, one.text.trim(), one.calls);
    if (tools.isWaiting || generation.signal.aborted) return total;
  }
}

/** Once a model has said or called something, the answer is its own. */
function only(model: Generation['model'], { model: name, failed }: Generated): Generation['model'] {
  if (typeof model === 'string' || failed) return model;
  const [first] = model.models.filter((candidate) => candidate.name === name);
  return first ? { ...model, models: [first] } : model;
}

function addTo(total: Generated, one: Generated): void {
  total.text += one.text;
  total.failed = one.failed;
  total.cut = one.cut;
  total.model = one.model;
  total.firstTokenAt ??= one.firstTokenAt;
  total.failedModels.push(...one.failedModels);
  total.inputTokens = sum(total.inputTokens, one.inputTokens);
  total.cachedTokens = sum(total.cachedTokens, one.cachedTokens);
  total.costNanoUsd = costsOf(total.costNanoUsd, one.costNanoUsd);
  total.outputTokens = sum(total.outputTokens, one.outputTokens);
}

function sum(a: number | null, b: number | null): number | null {
  return a === null ? b : a + (b ?? 0);
}
