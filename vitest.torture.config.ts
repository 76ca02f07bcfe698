import { defineConfig } from 'vitest/config';

/** What takes too long for `npm test`: kills, faults, a million requests. One file at a time: each needs the machine for itself. */
export default defineConfig({
  test: {
    include: ['test/torture/**/*.torture.ts', 'src/**/*.torture.ts'],
    globalSetup: ['test/global-setup.ts'],
    testTimeout: 6 * 60 * 60_000,
    hookTimeout: 120_000,
    maxWorkers: 1,
    fileParallelism: false,
    env: { TORTURE: '1' },
  },
});
