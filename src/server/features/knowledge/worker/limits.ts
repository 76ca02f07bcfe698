/** Of a background program: beside people who wait for an answer, work of this niceness gets a tenth of a core. */
export const NICENESS = 10;

/** An unused worker is kept this long for what comes next. */
export const IDLE_MS = 5000;

/** A reader process looks this often whether whoever started it still lives. */
export const ORPHAN_CHECK_MS = 1000;

/**
 * What has a time limit is given it as time of the processor, so that a busy machine makes nothing of what was too long for an idle one;
 * and so many times as long by the clock, which ends what waits for something that never comes.
 */
export const STARVED_TIMES = 5;
