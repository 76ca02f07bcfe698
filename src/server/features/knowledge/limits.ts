/** Internal limits of this feature that no caller sees. */

/** Time and memory limits for analyzing one block of sources in a child process; 10 MB of text take about 6 s. */
export const INDEX_TIMEOUT_MS = 120_000;
export const INDEX_MEMORY_MIB = 512;
