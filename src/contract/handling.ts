import * as z from 'zod';

/**
 * Who answers in a conversation. `bot`: the agent. `waiting`: a person was requested, and the agent is silent. `human`:
 * a member has taken over. `closed`: a member has finished it; the agent answers the next message.
 */
export const handlings = ['bot', 'waiting', 'human', 'closed'] as const;
export type Handling = (typeof handlings)[number];

/** `notice`: what to tell someone who waits for a person, if none is available now. */
export const handlingNow = { handling: z.enum(handlings), notice: z.string().nullable() };
