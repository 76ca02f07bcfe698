import { ANSWER_MAX_CHARACTERS, TOOL_STEPS_MAX } from '../../../contract/limits.ts';
import { costsOf } from '../../llm/price.ts';
import { generate, nothingGenerated, type Generated, type Generation } from './generate.ts';
import type { ToolUse } from './tool-use.ts';

/**
 * Calls the model, makes the calls it requests, returns their results to it, and so on until it answers with text, a
 * call waits for the person, or the step limit is reached; the last step allows no calls. `said`: the text before the
 * answer resumed.
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

/** Once a model has produced text or a call, it alone finishes the answer. */
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
