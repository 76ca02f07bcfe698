import type { CallsOf } from '../../contract/client.ts';
import { contract, type ParleyContract } from '../../contract/index.ts';
import type { LaterArea } from './later-areas.ts';

/**
 * The calls of the API as plain data, but for those of `later-calls.ts`. A built or served page gets what this evaluates to in place of the file
 * (`contract-as-data.ts` at the root), so that no schema and no schema library travels to a browser that only calls; the
 * types stay those of the contract.
 */
export const calls: CallsOf<Omit<ParleyContract, LaterArea>> = contract;
