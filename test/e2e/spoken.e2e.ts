import { expect, test, type Page } from '@playwright/test';
import { startVoiceProvider, type VoiceProvider } from '../stand-ins/voice-provider.ts';
import { withMicrophone } from './microphone.ts';
import { startOwner } from './owner.ts';
import { Server } from './server.ts';
import { signIn, signInElsewhere, signOut } from './signing-in.ts';

/** Recordings survive the end of the session, and are sent once it is back. */

test.use(withMicrophone);

let server: Server;
let voice: VoiceProvider;

test.beforeAll(async () => {
  voice = await startVoiceProvider();
  server = await Server.start({
    SEED_DEMO: 'off',
    OPENAI_API_KEY: 'sk-test',
    OPENAI_BASE_URL: voice.baseUrl,
    TRANSCRIPTION_MODEL: 'openai/whisper-1',
    DEFAULT_MODEL: 'parley/extractive',
  });
});
test.afterAll(async () => {
  await server.remove();
  await voice.close();
});

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** Waits until speech is being recorded: the stop button is there at once, the microphone only a moment later. */
async function dictate(page: Page): Promise<void> {
  await button(page, 'Dictate').click();
  await button(page, 'Stop dictating').waitFor();
  const isRecording = () => !dispatchEvent(new Event('beforeunload', { cancelable: true }));
  await expect.poll(() => page.evaluate(isRecording)).toBe(true);
}

/** Signed in on the page, in a browser without speech recognition. */
async function ownerOn(page: Page, name: string): Promise<{ agentId: string; conversationId: string }> {
  await page.addInitScript(() => {
    for (const each of ['SpeechRecognition', 'webkitSpeechRecognition'])
      Reflect.deleteProperty(globalThis, each);
  });
  const owner = await startOwner(server, name);
  const { client, agentId, organizationId } = owner;
  await client.chatbot.update({ id: agentId, organizationId, voiceEnabled: true });
  const conversationId = (await client.chat.create({ chatbotId: agentId, title: 'Lamps' })).conversation.id;
  await owner.signIn(page.context());
  await page.goto(`${server.url}/auth`);
  await signIn(server, page, `${name}@example.com`);
  await expect(page).toHaveURL(/\/platform/);
  return { agentId, conversationId };
}

test('speech dictated when the session ended is transcribed on signing in again', async ({
  page,
  context,
}) => {
  const { conversationId } = await ownerOn(page, 'ada');
  await page.goto(`${server.url}/chat/${conversationId}`);
  const field = page.getByRole('textbox', { name: 'Message', exact: true });
  await field.fill('First of all:');
  await dictate(page);
  await page.waitForTimeout(500);
  await signOut(server, context);
  await expect(page.getByRole('main').getByRole('link', { name: 'Sign in' }).first()).toBeVisible();
  await signInElsewhere(server, context, 'ada@example.com');
  await expect(page.getByText('What you said is saved')).toBeVisible();
  await button(page, 'Try again').click();
  await expect(field).toHaveValue(`First of all: ${voice.hears}`);
  await expect(field).toBeFocused();
  await expect(button(page, 'Try again')).toBeHidden();

  // It is transcribed once.
  await page.getByRole('link', { name: 'New conversation' }).first().click();
  await page.goBack();
  await expect(field).toHaveValue(`First of all: ${voice.hears}`);
  await expect(button(page, 'Try again')).toBeHidden();
});

test('speech that could not be sent for transcription is resent', async ({ page }) => {
  const { agentId } = await ownerOn(page, 'bob');
  await page.goto(`${server.url}/chat/${agentId}`);
  await page.route('**/transcription', (route) => route.abort());
  await dictate(page);
  await page.waitForTimeout(500);
  await button(page, 'Stop dictating').click();
  await expect(page.getByText('What you said is saved')).toBeVisible();
  await page.unroute('**/transcription');
  await page.reload();
  await expect(page.getByText('What you said is saved')).toBeVisible();
  await button(page, 'Try again').click();
  await expect(page.getByRole('textbox', { name: 'Message', exact: true })).toHaveValue(voice.hears);
  expect(voice.transcriptions.at(-1)).toMatchObject({ type: 'audio/webm' });
  expect(voice.transcriptions.at(-1)?.bytes).toBeGreaterThan(500);
  await page.reload();
  await expect(page.getByRole('textbox', { name: 'Message', exact: true })).toHaveValue(voice.hears);
  await expect(button(page, 'Try again')).toBeHidden();

  // During recording, leaving the page asks first.
  await dictate(page);
  const asked = page.waitForEvent('dialog').then(async (dialog) => {
    await dialog.accept();
    return dialog.type();
  });
  await page.reload();
  expect(await asked).toBe('beforeunload');
  await expect(button(page, 'Dictate')).toBeEnabled();
  await expect(button(page, 'Try again')).toBeHidden();
});

test('text typed during a transcription stays, after the dictated text', async ({ page }) => {
  const { conversationId } = await ownerOn(page, 'dora');
  await page.goto(`${server.url}/chat/${conversationId}`);
  const field = page.getByRole('textbox', { name: 'Message', exact: true });
  const { promise: typed, resolve } = Promise.withResolvers<void>();
  await page.route('**/transcription', async (route) => {
    await typed;
    await route.continue();
  });
  await field.fill('First of all:');
  await dictate(page);
  await page.waitForTimeout(500);
  await button(page, 'Stop dictating').click();
  await field.pressSequentially(' And on Sunday');
  resolve();
  await expect(field).toHaveValue(`First of all: ${voice.hears} And on Sunday`);
  await field.pressSequentially('s?');
  await expect(field).toHaveValue(`First of all: ${voice.hears} And on Sundays?`);

  // Sending while speaking loses nothing that was said.
  await dictate(page);
  await page.waitForTimeout(500);
  await field.press('Enter');
  await expect(field).toHaveValue(`First of all: ${voice.hears} And on Sundays? ${voice.hears}`);

  // The page's state matches the field.
  await field.fill('');
  await expect(button(page, 'Send')).toBeDisabled();
});

test('text typed during the browser’s speech recognition stays, and canceling removes only the speech', async ({
  page,
}) => {
  await page.addInitScript(() => {
    class Recognition extends EventTarget {
      start() {
        Object.assign(globalThis, {
          hear: (transcript: string) =>
            this.dispatchEvent(Object.assign(new Event('result'), { results: [[{ transcript }]] })),
        });
      }
      stop() {
        this.dispatchEvent(new Event('end'));
      }
      abort() {
        this.stop();
      }
    }
    Object.assign(globalThis, { SpeechRecognition: Recognition });
  });
  const owner = await startOwner(server, 'eve');
  const { agentId, organizationId } = owner;
  await owner.client.chatbot.update({ id: agentId, organizationId, voiceEnabled: true });
  await owner.signIn(page.context());
  await page.goto(`${server.url}/chat/${agentId}`);
  const field = page.getByRole('textbox', { name: 'Message', exact: true });
  const hear = (words: string) => page.evaluate(`globalThis.hear('${words}')`);
  await field.fill('Please');
  await button(page, 'Dictate').click();
  await hear('sent');
  await expect(field).toHaveValue('Please sent');
  await field.pressSequentially(' by Friday');
  await hear('send the lamp');
  await expect(field).toHaveValue('Please send the lamp by Friday');
  await field.press('Home');
  await field.pressSequentially('Now: ');
  await hear('send the lamps');
  await expect(field).toHaveValue('Now: Please send the lamps by Friday');
  await field.pressSequentially('p');
  await expect(field).toHaveValue('Now: pPlease send the lamps by Friday');
  await field.press('Escape');
  await expect(field).toHaveValue('Now: pPlease by Friday');

  // Speech that was corrected stays corrected.
  await field.fill('');
  await button(page, 'Dictate').click();
  await hear('Two limps');
  await field.fill('Two lamps');
  await hear('Two limps for Ada');
  await expect(field).toHaveValue('Two lamps for Ada');
  await field.press('Enter');
  await expect(page.getByRole('listitem').getByText('Two lamps for Ada')).toBeVisible();
  await expect(field).toHaveValue('');
  await expect(button(page, 'Dictate')).toBeVisible();
});

test('an unsent voice message survives a reload, until it is sent or discarded', async ({ page }) => {
  await ownerOn(page, 'finn');
  page.on('dialog', (dialog) => void dialog.accept());
  await page.goto(`${server.url}/app/voicemail`);
  const player = page.getByLabel('Your recording');
  const record = async () => {
    await button(page, 'Record a message').click();
    await expect(page.getByRole('timer')).toHaveText(/^0:01/);
    await button(page, 'Stop recording').click();
    await expect(player).toBeVisible();
  };
  await record();
  await page.reload();
  await expect(player).toBeVisible();
  await expect.poll(() => player.evaluate((audio: HTMLAudioElement) => audio.readyState)).toBeGreaterThan(0);
  await button(page, 'Send').click();
  await expect(player).toBeHidden();
  await page.reload();
  await expect(button(page, 'Record a message')).toBeEnabled();
  await expect(player).toBeHidden();

  await record();
  await button(page, 'Discard').click();
  await page.reload();
  await expect(button(page, 'Record a message')).toBeEnabled();
  await expect(player).toBeHidden();
});

test('a voice message already sent is not offered again by a reload before the list has loaded', async ({
  page,
}) => {
  await ownerOn(page, 'gil');
  page.on('dialog', (dialog) => void dialog.accept());
  await page.goto(`${server.url}/app/voicemail`);
  await button(page, 'Record a message').click();
  await expect(page.getByRole('timer')).toHaveText(/^0:01/);
  await button(page, 'Stop recording').click();
  await page.getByLabel('Your recording').waitFor();
  // From now on the list never arrives.
  await page.route(/\/v1\/chat\?/, () => undefined);
  await button(page, 'Send').click();
  await expect(page.getByText('Message sent')).toBeVisible();
  await expect(page.getByLabel('Your recording')).toBeHidden();
  await page.unroute(/\/v1\/chat\?/);
  await page.reload();
  await expect(button(page, 'Record a message')).toBeEnabled();
  await expect(page.getByLabel('Your recording')).toBeHidden();
});

test('a voice message being recorded or sent when the session ended reappears on signing in', async ({
  page,
  context,
}) => {
  await ownerOn(page, 'cleo');
  await page.goto(`${server.url}/app/voicemail`);
  await expect(button(page, 'Record a message')).toBeEnabled();
  await button(page, 'Record a message').click();
  await expect(page.getByRole('timer')).toHaveText(/^0:01/);
  await signOut(server, context);
  const player = page.getByLabel('Your recording');
  await page.getByRole('alert').getByRole('button', { name: 'Sign in' }).click();
  await signInElsewhere(server, context, 'cleo@example.com');
  await expect(page).toHaveURL(/\/app\/voicemail/);
  await expect(player).toBeVisible();

  // The upload never arrives.
  await page.route('**/recording', () => undefined);
  await button(page, 'Send').click();
  await signOut(server, context);
  await expect(page.getByText('You are signed out')).toBeVisible();
  await signInElsewhere(server, context, 'cleo@example.com');
  await page.unroute('**/recording');
  await expect(button(page, 'Send')).toBeEnabled();
  await button(page, 'Send').click();
  await expect(page.getByText('Message sent')).toBeVisible();
  const list = page.getByRole('region', { name: 'Voice messages' });
  await expect(list.getByRole('button', { expanded: true })).toHaveCount(1);
  await expect(player).toBeHidden();

  // In an existing exchange.
  await button(page, 'Record another message').click();
  await expect(page.getByRole('timer')).toHaveText(/^0:01/);
  await signOut(server, context);
  await expect(page.getByText('No messages yet')).toBeVisible();
  await signInElsewhere(server, context, 'cleo@example.com');
  await expect(list.getByRole('button', { expanded: true })).toHaveCount(1);
  await expect(player).toBeVisible();
  // Until the messages above them are loaded, the buttons move.
  await expect(list.getByRole('button', { name: /^Listen/ })).toHaveCount(1);
  await button(page, 'Send').click();
  await expect(list.getByRole('button', { name: /^Listen/ })).toHaveCount(2);
});
