import { EXTRACTIVE_MODEL, type ModelChain } from './models.ts';

/**
 * If less than this share of the question is found in one passage, the built-in model, which judges by words alone, doesn't
 * guess. At 0.4, it refuses 5 to 12 % of the answerable questions of `bench/answer`, and answers 8 to 18 % of the others.
 */
export const LEAST_SUPPORT = 0.4;
/**
 * The same for other models: below it, an agent limited to its knowledge doesn't ask one. They read the passages and say
 * themselves if these hold no answer, so what people put in other words than the passages must reach them.
 */
const MODEL_LEAST_SUPPORT = 0.2;

/** The share of a question that a passage must cover for these models to be asked, if they may use nothing but passages. */
export const leastSupportOf = ({ models }: ModelChain): number =>
  models[0].name === EXTRACTIVE_MODEL ? LEAST_SUPPORT : MODEL_LEAST_SUPPORT;
