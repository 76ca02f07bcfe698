import * as z from 'zod';
import { Timestamp } from './common.ts';
import { idOf } from './id.ts';
import {
  ESTIMATE_QUALITY_MAX,
  ESTIMATE_QUIET_MAX_MINUTES,
  ESTIMATE_QUIET_MINUTES,
  ESTIMATES_PER_DAY,
  ESTIMATES_PER_DAY_MAX,
} from './limits.ts';
import { route } from './route.ts';
import { sentiments } from './sentiments.ts';

/** A model's assessment of a conversation. It may be wrong, and is labeled as an estimate wherever it is shown. */
export const Estimate = z.object({
  sentiment: z.enum(sentiments),
  /** Quality of the answers, 1 to 5. */
  quality: z.number().int().min(1).max(ESTIMATE_QUALITY_MAX),
  /** Whether the end user got an answer. */
  answered: z.boolean(),
  /** Whether the answers say only what was found. */
  grounded: z.boolean(),
  estimatedAt: Timestamp,
});
export type Estimate = z.infer<typeof Estimate>;

export const EstimateSetting = z.strictObject({
  enabled: z.boolean(),
  /** A conversation is assessed once it has been quiet for this long. */
  quietMinutes: z.number().int().min(1).max(ESTIMATE_QUIET_MAX_MINUTES).default(ESTIMATE_QUIET_MINUTES),
  /** At most this many conversations per UTC day; each costs a credit. */
  perDay: z.number().int().min(1).max(ESTIMATES_PER_DAY_MAX).default(ESTIMATES_PER_DAY),
});
export type EstimateSetting = z.infer<typeof EstimateSetting>;

const ofAgent = z.strictObject({ id: idOf('agent') });
const One = z.object({
  setting: EstimateSetting,
  /** Whether the agent has a capable model: the built-in one isn't. */
  hasModel: z.boolean(),
});

/** Sentiment and quality of an agent's conversations, as its own model estimates them. */
export const estimate = {
  getSetting: route({
    method: 'GET',
    path: '/v1/chatbot/{id}/estimate',
    summary: 'Read the estimate settings',
    input: ofAgent,
    output: One,
  }),
  /** Nothing said before it was switched on is assessed. */
  setSetting: route({
    method: 'PUT',
    path: '/v1/chatbot/{id}/estimate',
    summary: 'Turn estimates of conversations on or off',
    input: ofAgent.extend(EstimateSetting.shape),
    output: One,
  }),
};
