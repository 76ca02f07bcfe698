import type { CallsOf } from '../../contract/client.ts';
import { contract, type ParleyContract } from '../../contract/index.ts';
import type { LaterArea } from './later-areas.ts';

/**
 * The calls of the API as plain data, except those in `later-calls.ts`. A built or served page gets the result of
 * evaluating this instead of the file (`contract-as-data.ts` at the root), so that a browser that only makes calls
 * loads no schemas and no schema library; the types remain those of the contract.
 */
export const calls: CallsOf<Omit<ParleyContract, LaterArea>> = contract;
