import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const common = {
  // Waits are generous: they must also suffice on a slow and busy machine, where the product's background work gets a
  // tenth of a core.
  testTimeout: 180_000,
  hookTimeout: 180_000,
  expect: { poll: { timeout: 30_000 } },
  // For the programs that tests start: each reuses the previous one's compile cache.
  env: { NODE_COMPILE_CACHE: fileURLToPath(new URL('node_modules/.cache/compiled', import.meta.url)) },
};

export default defineConfig({
  test: {
    globalSetup: ['test/global-setup.ts'],
    // Twice the number of cores: a file spends half its time waiting, for the database, a timer or a process it has
    // started.
    maxWorkers: 4,
    projects: [
      {
        extends: true,
        test: {
          ...common,
          name: 'server',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: ['src/web/**'],
          // Each worker loads the product once, not each file: a third of the CPU time. So files must leave nothing
          // behind.
          isolate: false,
        },
      },
      {
        extends: true,
        // These replace browser APIs instead of using the existing ones.
        test: { ...common, name: 'web', include: ['src/web/**/*.test.{ts,tsx}'] },
      },
    ],
  },
});
