/** That of a background program: next to people waiting for an answer, work with this niceness gets a tenth of a core. */
export const NICENESS = 10;

/** How long an unused worker is kept for the next task. */
export const IDLE_MS = 5000;

/** How often a reader process checks whether the process that started it is still alive. */
export const ORPHAN_CHECK_MS = 1000;

/**
 * Time limits are measured in CPU time, so that a busy machine doesn't cut off work that would be in time on an idle
 * one; the wall-clock limit is this many times as long, and ends waiting for something that never comes.
 */
export const STARVED_TIMES = 5;
