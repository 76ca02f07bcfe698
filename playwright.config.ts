import { defineConfig } from '@playwright/test';
import { chromiumPath } from './test/chromium.ts';

export default defineConfig({
  testDir: 'test/e2e',
  testMatch: '*.e2e.ts',
  globalSetup: './test/e2e/global-setup.ts',
  // Both allow for a slow and busy machine, on which a page takes ten times as long.
  timeout: 300_000,
  expect: { timeout: 20_000 },
  // One file each: a journey spends much of its time waiting, which would leave a core idle.
  workers: 3,
  forbidOnly: true,
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
        // One process and fewer threads less for each page: 7 % less CPU time.
        '--in-process-gpu',
        '--num-raster-threads=1',
      ],
    },
  },
});
