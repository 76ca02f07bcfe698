/**
 * The browser for tests, benchmarks and screenshots, as installed by Debian: headless Chromium, which takes a quarter
 * less CPU time.
 */
export const chromiumPath = '/usr/bin/chromium-headless-shell';
