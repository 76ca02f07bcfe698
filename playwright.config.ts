import { defineConfig } from '@playwright/test';
import { chromiumPath } from './test/chromium.ts';

export default defineConfig({
  testDir: 'test/e2e',
  testMatch: '*.e2e.ts',
  globalSetup: './test/e2e/global-setup.ts',
  timeout: 120_000,
  // Allows for a busy machine.
  expect: { timeout: 10_000 },
  // One file each: a journey spends much of its time waiting, which would leave a core idle.
  workers: 3,
  forbidOnly: true,
  // A whole browser on a busy machine: retried once before it counts as failed; if it then passes, it is reported as
  // flaky.
  retries: 1,
  reporter: 'list',
  use: {
    browserName: 'chromium',
    viewport: { width: 1440, height: 900 },
    screenshot: 'only-on-failure',
    // Once a service worker controls a page, a journey that stands in for the server doesn't see every request.
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
