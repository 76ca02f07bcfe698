import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.{ts,tsx}', 'test/**/*.test.ts'],
    globalSetup: ['test/global-setup.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // What is waited for comes when it comes: also on a machine with much else to do.
    expect: { poll: { timeout: 10_000 } },
    maxWorkers: 2,
  },
});
