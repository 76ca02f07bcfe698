/** Limits of this area that no caller sees. */

/** One block of sources is analysed in a worker with this much time and memory; 10 MB of text take about 6 s. */
export const INDEX_TIMEOUT_MS = 120_000;
export const INDEX_MEMORY_MIB = 512;
