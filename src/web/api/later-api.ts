import { createClient } from '../../contract/client.ts';
import type { ParleyContract } from '../../contract/index.ts';
import { clientOptions } from './api.ts';
import type { LaterArea } from './later-areas.ts';
import { laterCalls } from './later-calls.ts';

/** The calls of areas that no first page uses; for screens loaded when they are opened. */
export const laterApi = createClient<Pick<ParleyContract, LaterArea>>(laterCalls, clientOptions);
