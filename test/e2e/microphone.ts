import { chromiumPath } from '../chromium.ts';

/** For `test.use`: a microphone with permission that beeps. */
export const withMicrophone = {
  permissions: ['microphone'],
  launchOptions: {
    executablePath: chromiumPath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--use-fake-ui-for-media-stream',
      '--use-fake-device-for-media-stream',
    ],
  },
};
