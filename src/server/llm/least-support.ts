import { LEAST_SUPPORT, MODEL_LEAST_SUPPORT } from '../../contract/limits.ts';
import { EXTRACTIVE_MODEL, type ModelChain } from './models.ts';

/** The share of a question that a passage must cover for these models to be asked, if they may use nothing but passages. */
export const leastSupportOf = ({ models }: ModelChain): number =>
  models[0].name === EXTRACTIVE_MODEL ? LEAST_SUPPORT : MODEL_LEAST_SUPPORT;
