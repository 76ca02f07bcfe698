import type { ModelSettings } from '../../../contract/chatbot.ts';
import type { Model } from '../../../contract/model.ts';

/** The models an agent names that aren't available: they are skipped when it answers. */
export function missingModels({ model, fallbacks }: ModelSettings, known: Model[]): string[] {
  const named = [...(model === null ? [] : [model]), ...fallbacks];
  return [...new Set(named)].filter((name) => !known.some((each) => each.name === name));
}
