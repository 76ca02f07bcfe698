import type { CallsOf } from '../../contract/client.ts';
import { contract, type ParleyContract } from '../../contract/index.ts';
import type { LaterArea } from './later-areas.ts';

/** As `calls.ts`, for the areas that come with the screens which ask them: no first page carries these. */
export const laterCalls: CallsOf<Pick<ParleyContract, LaterArea>> = contract;
