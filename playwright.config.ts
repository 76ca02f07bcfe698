import { defineConfig } from '@playwright/test';
import { chromiumPath } from './test/chromium.ts';

export default defineConfig({
  testDir: 'test/e2e',
  testMatch: '*.e2e.ts',
  globalSetup: './test/e2e/global-setup.ts',
  timeout: 120_000,
  // What is waited for comes when it comes: also on a machine with much else to do.
  expect: { timeout: 10_000 },
  // One file each: a journey waits for much of its time, and a core would wait with it.
  workers: 3,
  forbidOnly: true,
  // A whole browser on a busy machine: once more before it counts as failed, and then it is listed as flaky.
  retries: 1,
  reporter: 'list',
  use: {
    browserName: 'chromium',
    viewport: { width: 1440, height: 900 },
    screenshot: 'only-on-failure',
    // Once a worker has taken a page over, a journey that takes the place of the server is not always asked.
    serviceWorkers: 'block',
    launchOptions: {
      executablePath: chromiumPath,
      args: [
        '--no-sandbox',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--disable-gpu',
        '--disable-quic',
      ],
    },
  },
});
