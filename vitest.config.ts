import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const common = {
  // What is waited for comes when it comes: also on a machine with much else to do, where what the product does in the background has a
  // tenth of a core.
  testTimeout: 90_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 20_000 } },
  // Of the programs that tests start: each reads what the one before it has compiled, in place of compiling it again.
  env: { NODE_COMPILE_CACHE: fileURLToPath(new URL('node_modules/.cache/compiled', import.meta.url)) },
};

export default defineConfig({
  test: {
    globalSetup: ['test/global-setup.ts'],
    // Twice as many as cores: a file waits for half of its time, for the database, a clock or a process that it has started.
    maxWorkers: 4,
    projects: [
      {
        extends: true,
        test: {
          ...common,
          name: 'server',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: ['src/web/**'],
          // The product is read once by each worker and not by each file: a third of the processor's time. So files leave nothing behind.
          isolate: false,
        },
      },
      {
        extends: true,
        // These stand in for what a browser gives, in the place of what there is.
        test: { ...common, name: 'web', include: ['src/web/**/*.test.{ts,tsx}'] },
      },
    ],
  },
});
