import { expect, test } from '@playwright/test';
import { registerInBrowser } from '../browser-client.ts';
import { startVoiceProvider, type VoiceProvider } from '../stand-ins/voice-provider.ts';
import { HostPage } from './host-page.ts';
import { withMicrophone } from './microphone.ts';
import { Server } from './server.ts';

/** Voice in the widget, with a browser that can neither transcribe nor speak, and a server that does both. */

test.use(withMicrophone);

const ANSWER = 'I only know about lamps.';

let server: Server;
let host: HostPage;
let voice: VoiceProvider;
let agentId: string;

test.beforeAll(async () => {
  voice = await startVoiceProvider();
  server = await Server.start({
    SEED_DEMO: 'off',
    OPENAI_API_KEY: 'sk-test',
    OPENAI_BASE_URL: voice.baseUrl,
    TRANSCRIPTION_MODEL: 'openai/whisper-1',
    SPEECH_MODEL: 'openai/tts-1',
    DEFAULT_MODEL: 'parley/extractive',
  });
  host = await HostPage.start(server.url);
  const { client } = await registerInBrowser(server.url, 'ada');
  const organizationId = (await client.organization.create({ name: 'Lamps' })).organization.id;
  agentId = (await client.chatbot.create({ organizationId, name: 'Lamp desk' })).chatbot.id;
  const shown = { isPublic: true, fallbackMessage: ANSWER, enableKnowledgeBaseMode: true };
  await client.chatbot.update({ id: agentId, organizationId, ...shown, voiceEnabled: true });
});
test.afterAll(async () => {
  await host.close();
  await server.remove();
  await voice.close();
});

test('a visitor dictates a question and has the answer read aloud', async ({ page }) => {
  await page.addInitScript(() => {
    for (const name of ['SpeechRecognition', 'webkitSpeechRecognition'])
      Reflect.deleteProperty(globalThis, name);
  });
  await page.goto(host.page({ 'data-agent': agentId }));
  await page.locator('parley-widget button.launcher').click();
  const frame = page.locator('parley-widget iframe').contentFrame();
  await frame.getByRole('button', { name: 'Dictate' }).click();
  const stop = frame.getByRole('button', { name: 'Stop dictating' });
  await stop.waitFor();
  await page.waitForTimeout(500);
  await stop.click();
  const field = frame.getByRole('textbox', { name: 'Message' });
  await expect(field).toHaveValue(voice.hears);
  expect(voice.transcriptions.at(-1)).toMatchObject({ model: 'whisper-1', type: 'audio/webm' });
  await field.press('Enter');
  await expect(frame.getByRole('listitem').getByText(ANSWER, { exact: true })).toBeVisible();
  await frame.getByRole('button', { name: 'Read aloud' }).click();
  await expect.poll(() => voice.speeches).toMatchObject([{ model: 'tts-1', input: ANSWER }]);
});

test('an answer that cannot be read aloud shows an error in place, until retried', async ({ page }) => {
  await page.goto(`${server.url}/embed/${agentId}`);
  const field = page.getByRole('textbox', { name: 'Message' });
  await field.fill('When do you open?');
  await field.press('Enter');
  const aloud = page.getByRole('button', { name: 'Read aloud' });
  const failed = page.getByRole('alert').getByText('This could not be read aloud.');
  voice.status = 500;
  await aloud.click();
  await expect(failed).toBeVisible();
  await expect(aloud).toBeFocused();
  // Nor is the response valid audio.
  voice.status = undefined;
  await page.route('**/speech', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 300));
    await route.continue();
  });
  await aloud.click();
  await expect(page.getByRole('button', { name: 'Stop reading' })).toBeVisible();
  await expect(failed).toBeHidden();
  await expect(failed).toBeVisible();
});

test('a microphone allowed only after the dictation has ended is released', async ({ page }) => {
  await page.addInitScript(() => {
    for (const name of ['SpeechRecognition', 'webkitSpeechRecognition'])
      Reflect.deleteProperty(globalThis, name);
    const { mediaDevices } = navigator;
    const open = mediaDevices.getUserMedia.bind(mediaDevices);
    mediaDevices.getUserMedia = async (wanted) => {
      const stream = await open(wanted);
      await new Promise<void>((allow) => Object.assign(globalThis, { allow, stream }));
      return stream;
    };
  });
  await page.goto(`${server.url}/embed/${agentId}`);
  const begin = page.getByRole('button', { name: 'Dictate', exact: true });
  await begin.click();
  await expect.poll(() => page.evaluate('typeof globalThis.allow')).toBe('function');
  await page.getByRole('button', { name: 'Stop dictating' }).click();
  await expect(begin).toBeEnabled();
  await page.evaluate('globalThis.allow()');
  await expect.poll(() => page.evaluate('globalThis.stream.getTracks()[0].readyState')).toBe('ended');
  await expect(begin).toBeEnabled();
});
