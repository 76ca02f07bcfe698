import type { CallsOf } from '../../contract/client.ts';
import { contract, type ParleyContract } from '../../contract/index.ts';
import type { LaterArea } from './later-areas.ts';

/** Like `calls.ts`, for the areas loaded with the screens that use them: no first page carries these. */
export const laterCalls: CallsOf<Pick<ParleyContract, LaterArea>> = contract;
