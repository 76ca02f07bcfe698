import { expect, test, type Page, type Route } from '@playwright/test';
import { startVoiceProvider, type VoiceProvider } from '../stand-ins/voice-provider.ts';
import { graveFaults } from './axe.ts';
import { withMicrophone } from './microphone.ts';
import { startOwner } from './owner.ts';
import { Server } from './server.ts';

/** The voicemail variant: a caller leaves a message with the browser's microphone, a stand-in that beeps. */

test.use(withMicrophone);

let server: Server;
let voice: VoiceProvider;

test.beforeAll(async () => {
  voice = await startVoiceProvider();
  server = await Server.start({ BILLING_MODE: 'on', GUEST_CONVERSATIONS_PER_HOUR: '1000' });
});
test.afterAll(async () => {
  await server.remove();
  await voice.close();
});

/** From then on, for every journey that needs it. */
async function withTranscription(): Promise<void> {
  if (server.environment['TRANSCRIPTION_MODEL']) return;
  await server.kill('SIGTERM');
  Object.assign(server.environment, {
    OPENAI_API_KEY: 'sk-test',
    OPENAI_BASE_URL: voice.baseUrl,
    TRANSCRIPTION_MODEL: 'openai/whisper-1',
    DEFAULT_MODEL: 'parley/extractive',
  });
  await server.startAgain();
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const player = (page: Page) => page.getByLabel('Your recording');
const messages = (page: Page) => page.getByRole('region', { name: 'Voice messages' });

/** Records briefly by keyboard only; afterwards the player has focus. */
async function record(page: Page, begin = 'Record a message'): Promise<void> {
  // Until the possible recipients are known.
  await expect(button(page, begin)).toBeEnabled();
  await button(page, begin).press('Enter');
  await expect(button(page, 'Stop recording')).toBeFocused();
  await expect(page.getByRole('timer')).toHaveText(/^0:01 \/ 3:00$/);
  await page.keyboard.press('Enter');
  await expect(player(page)).toBeFocused();
}

/** Whether the sound plays to its end. */
async function isHeard(page: Page): Promise<boolean> {
  return player(page).evaluate(async (element) => {
    const audio = element as HTMLAudioElement;
    audio.muted = true;
    const end = new Promise((resolve) => audio.addEventListener('ended', resolve, { once: true }));
    await audio.play();
    await end;
    return audio.currentTime > 0.5;
  });
}

test('a message is recorded, played and sent; without a transcription model a person has to listen', async ({
  page,
}) => {
  await page.goto(`${server.url}/app/voicemail`);
  await expect(page.getByRole('heading', { name: 'No messages yet' })).toBeVisible();
  const chosen = page.getByRole('combobox', { name: 'For' }).locator('option:checked');
  await expect(chosen).toHaveText('Parley guide');
  await record(page);
  expect(await isHeard(page)).toBe(true);
  await button(page, 'Send').click();
  await expect(messages(page).getByText(/a person has to listen to it/)).toBeVisible();
  await expect(button(page, 'Record a message')).toBeVisible();

  await page.reload();
  await page.getByRole('button', { name: /Parley guide Voice message/ }).click();
  await expect(messages(page).getByText(/a person has to listen to it/)).toBeVisible();
  await messages(page)
    .getByRole('button', { name: /^Listen/ })
    .click();
  await expect(player(page)).toBeFocused();
  expect(await isHeard(page)).toBe(true);
});

test('leaving with an unsent recording asks first, and a double click sends it once', async ({ page }) => {
  await page.goto(`${server.url}/app/voicemail`);
  await record(page);
  await page.getByRole('link', { name: 'Learn' }).click();
  const question = page.getByRole('dialog', { name: 'Leave without sending?' });
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(player(page)).toBeVisible();
  await button(page, 'Send').evaluate((element) => {
    if (!(element instanceof HTMLElement)) return;
    element.click();
    element.click();
  });
  await expect(page.getByText('Message sent')).toBeVisible();
  await expect(button(page, 'Send')).toBeHidden();
  await expect(messages(page).getByRole('button', { name: /Parley guide/ })).toHaveCount(1);
  // Once sent, leaving asks nothing.
  await page.getByRole('link', { name: 'Learn' }).click();
  await expect(page).toHaveURL(/\/app\/learn$/);
});

test('with a transcription model, the transcript and the answer join the same conversation, which continues', async ({
  page,
}) => {
  await withTranscription();
  voice.hears = 'How many characters may the instructions of an agent be long?';
  await page.goto(`${server.url}/app/voicemail?agent=parley`);
  await record(page);
  await button(page, 'Send').click();
  const said = messages(page).getByRole('listitem');
  await expect(messages(page).getByText(voice.hears).last()).toBeVisible();
  await expect(
    messages(page)
      .getByText(/20,000 characters/)
      .first(),
  ).toBeVisible();
  expect(voice.transcriptions.at(-1)).toMatchObject({ model: 'whisper-1', type: 'audio/webm' });

  await messages(page)
    .getByRole('button', { name: /^Source 1/ })
    .first()
    .click();
  await expect(page.getByRole('dialog')).toContainText('20,000 characters');
  await page.keyboard.press('Escape');

  voice.hears = 'May a stopped answer be asked for again?';
  await record(page, 'Record another message');
  await button(page, 'Send').click();
  await expect(messages(page).getByText(voice.hears)).toBeVisible();
  await expect(said.filter({ hasText: 'Parley guide' }).last()).not.toContainText('Looking for an answer');

  await page.reload();
  await expect(messages(page).getByRole('button', { expanded: false })).toHaveCount(1);
  await messages(page).getByRole('button', { expanded: false }).click();
  await expect(
    messages(page)
      .getByText(/20,000 characters/)
      .first(),
  ).toBeVisible();
  await expect(messages(page).getByRole('button', { name: /^Listen/ })).toHaveCount(2);
  await page.getByRole('link', { name: 'Open in chat' }).click();
  await expect(page.getByRole('region', { name: 'Conversation' }).getByText(voice.hears)).toBeVisible();
});

test('a played recording does not take focus again', async ({ page }) => {
  await page.goto(`${server.url}/app/voicemail`);
  await record(page);
  await button(page, 'Send').click();
  await messages(page)
    .getByRole('button', { name: /^Listen/ })
    .click();
  await expect(player(page)).toBeFocused();
  await button(page, 'Record another message').press('Enter');
  await expect(button(page, 'Stop recording')).toBeFocused();
  await page.keyboard.press('Enter');
  await button(page, 'Send').press('Enter');
  await expect(messages(page).getByRole('button', { name: /^Listen/ })).toHaveCount(1);
  await expect(button(page, 'Record another message')).toBeFocused();
});

test('a recording can be discarded and redone, and survives a failed upload', async ({ page }) => {
  await page.goto(`${server.url}/app/voicemail`);
  await record(page);
  await button(page, 'Discard').click();
  await expect(button(page, 'Record a message')).toBeFocused();
  await record(page);
  await page.route('**/recording', (route) => route.abort());
  await button(page, 'Send').click();
  await expect(page.getByText('The server could not be reached.')).toBeVisible();
  await expect(button(page, 'Send')).toBeEnabled();
  await page.unroute('**/recording');
  await button(page, 'Send').click();
  await expect(messages(page).getByRole('button', { expanded: true })).toHaveCount(1);
  await expect(messages(page).getByRole('button', { name: /^Listen/ })).toHaveCount(1);
});

test('a message whose response was lost is not stored twice', async ({ page }) => {
  await page.goto(`${server.url}/app/voicemail`);
  await record(page);
  await page.route('**/recording', async (route) => {
    await route.fetch();
    await route.abort();
  });
  await button(page, 'Send').click();
  await expect(page.getByText('The server could not be reached.')).toBeVisible();
  await page.unroute('**/recording');
  await button(page, 'Send').click();
  await expect(page.getByText('Message sent')).toBeVisible();
  await expect(messages(page).getByRole('button', { name: /^Listen/ })).toHaveCount(1);
});

test('a recording being sent when the page is left is delivered, or offered again', async ({ page }) => {
  await page.goto(`${server.url}/app/voicemail`);
  const [failing, sending] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const leave = async (ending: Promise<void>, act: (route: Route) => Promise<void>) => {
    await page.route('**/recording', (route) => ending.then(() => act(route)));
    const isAsked = page.waitForRequest('**/recording');
    await button(page, 'Send').click();
    await isAsked;
    await page.getByRole('link', { name: 'Learn' }).click();
    await expect(page.getByRole('heading', { name: 'Getting started' })).toBeVisible();
  };
  await record(page);
  await leave(failing.promise, (route) => route.abort());
  failing.resolve();
  await expect(page.getByText('Your voice message was not sent. It is saved in Voicemail.')).toBeVisible();
  await page.unroute('**/recording');
  await page.getByRole('link', { name: 'Voicemail' }).click();
  await expect(player(page)).toBeVisible();
  await leave(sending.promise, (route) => route.continue());
  await page.getByRole('link', { name: 'Voicemail' }).click();
  await expect(player(page)).toBeVisible();
  await expect(button(page, 'Discard')).toBeDisabled();
  sending.resolve();
  await expect(button(page, 'Record a message')).toBeVisible();
  await expect(player(page)).toBeHidden();
  await messages(page)
    .getByRole('button', { name: /^Parley guide/ })
    .click();
  await expect(messages(page).getByRole('button', { name: /^Listen/ })).toHaveCount(1);
});

test('a recording made in one exchange stays there when another is opened', async ({ page }) => {
  await page.goto(`${server.url}/app/voicemail`);
  for (const count of [1, 2]) {
    await record(page);
    await button(page, 'Send').click();
    await expect(messages(page).getByRole('button', { name: /^Parley guide/ })).toHaveCount(count);
  }
  await record(page, 'Record another message');
  await messages(page).getByRole('button', { expanded: false }).click();
  await expect(messages(page).getByRole('button', { expanded: true })).toHaveCount(2);
  await expect(player(page)).toBeVisible();
  await button(page, 'Discard').click();
  await expect(messages(page).getByRole('button', { expanded: true })).toHaveCount(1);
});

test('a person who answers is shown by name', async ({ page }) => {
  await page.route(/\/v1\/chat\/cnv_[^/]+\/message/, async (route) => {
    const response = await route.fetch();
    const answer = await response.json();
    const author = { id: answer.messages[0].id.replace('msg_', 'usr_'), name: 'Grace', profilePhoto: '' };
    answer.messages.unshift({
      ...answer.messages[0],
      role: 'operator',
      author,
      attachments: [],
      text: 'Yes.',
    });
    await route.fulfill({ json: answer });
  });
  await page.goto(`${server.url}/app/voicemail`);
  await record(page);
  await button(page, 'Send').click();
  await expect(messages(page).getByText('Grace')).toBeVisible();
  // Requests still made at the end don't matter.
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});

test('a missing microphone is not reported as a denied one', async ({ page }) => {
  await page.addInitScript(() => {
    navigator.mediaDevices.getUserMedia = async () => Promise.reject(new DOMException('', 'NotFoundError'));
  });
  await page.goto(`${server.url}/app/voicemail`);
  await button(page, 'Record a message').click();
  await expect(page.getByText('No microphone was found. Connect one and try again.')).toBeVisible();
});

test('a blocked microphone and a missing agent are reported', async ({ page }) => {
  await page.addInitScript(() => {
    navigator.mediaDevices.getUserMedia = async () => Promise.reject(new DOMException('', 'NotAllowedError'));
  });
  await page.goto(`${server.url}/app/voicemail?agent=nobody-here`);
  await expect(page.getByRole('alert')).toHaveText(/could not be found/);
  await button(page, 'Record a message').click();
  await expect(page.getByText(/Microphone access is blocked/)).toBeVisible();
});

test('an agent made private is no longer offered to people who have chatted with it', async ({ page }) => {
  const { client, organizationId, agentId } = await startOwner(server, 'vera');
  await page.goto(`${server.url}/chat/${agentId}`);
  await page.getByRole('textbox', { name: 'Message' }).fill('Hello?');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/chat\/cnv_/);
  const offered = page.getByRole('combobox', { name: 'For' }).getByRole('option');
  await page.goto(`${server.url}/app/voicemail`);
  await expect(offered).toHaveText(['Helper', 'Parley guide']);
  await client.chatbot.update({ id: agentId, organizationId, isPublic: false });
  await page.reload();
  await expect(offered).toHaveText(['Parley guide']);
  await expect(button(page, 'Record a message')).toBeEnabled();
});

test('an agent that cannot be loaded is not reported as missing', async ({ page }) => {
  const agent = /\/v1\/.*\/parley$/;
  await page.route(agent, (route) => route.abort());
  await page.goto(`${server.url}/app/voicemail?agent=parley`);
  await expect(page.getByRole('alert')).toContainText('The server could not be reached.');
  await page.unroute(agent);
  await button(page, 'Try again').click();
  await expect(page.getByRole('combobox', { name: 'For' }).locator('option:checked')).toHaveText(
    'Parley guide',
  );
  await expect(button(page, 'Record a message')).toBeEnabled();
});

test('the learn page shows the guides, which link to each other', async ({ page }) => {
  await page.goto(`${server.url}/app/learn`);
  await expect(page.getByRole('heading', { name: 'Getting started' })).toBeVisible();
  await page.getByRole('searchbox', { name: 'Search the guides' }).fill('transcription_model');
  await page.getByRole('link', { name: 'Run Parley yourself' }).click();
  await page.getByRole('article').getByRole('link', { name: 'models' }).last().click();
  await expect(page).toHaveURL(/guide=models#voice$/);
  await expect(page.getByRole('heading', { name: 'Voice' })).toBeInViewport();
  await page.goBack();
  await expect(page.getByRole('heading', { name: 'Run Parley yourself' })).toBeVisible();
  await page.goto(`${server.url}/app/learn?guide=nothing`);
  await expect(page.getByRole('heading', { name: 'This guide could not be found' })).toBeVisible();
});

test('membership and profile require sign-in, then show the plan and the person', async ({ page }) => {
  await page.goto(`${server.url}/app/membership`);
  await expect(page).toHaveURL(/\/auth\?signup=true/);
  await page.goto(server.url);
  await page.getByRole('button', { name: 'Start building' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Ada');
  await page.getByLabel('Username').fill('ada');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('link', { name: 'Start building' }).click();
  await page.getByRole('link', { name: 'Create agent' }).first().waitFor();
  await page.goto(`${server.url}/app/membership`);
  const plan = page.getByRole('region', { name: "Ada's organization" });
  await expect(plan).toContainText('Free');
  await expect(plan.getByText('0 of 200')).toBeVisible();

  for (const width of [360, 1440])
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      for (const path of ['voicemail', 'learn', 'membership', 'account'])
        await expectAccessible(page, path, `${path} ${width} ${colorScheme}`);
    }
});

test('axe finds nothing serious while recording, playing and reading an answer', async ({ page }) => {
  await withTranscription();
  voice.hears = 'How many characters may the instructions of an agent be long?';
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.setViewportSize({ width: 360, height: 740 });
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.goto(`${server.url}/app/voicemail?agent=parley`);
    await button(page, 'Record a message').click();
    await button(page, 'Stop recording').waitFor();
    await expectNothingGrave(page, `recording ${colorScheme}`);
    await button(page, 'Stop recording').click();
    await player(page).waitFor();
    await expectNothingGrave(page, `recorded ${colorScheme}`);
    await button(page, 'Send').click();
    await expect(
      messages(page)
        .getByText(/20,000 characters/)
        .first(),
    ).toBeVisible();
    await expectNothingGrave(page, `answered ${colorScheme}`);
  }
});

async function expectAccessible(page: Page, path: string, where: string): Promise<void> {
  await page.goto(`${server.url}/app/${path}`);
  await page.getByRole('heading', { level: 2 }).first().waitFor();
  await expectNothingGrave(page, where);
}

/** No findings from axe; and nothing is wider than the page. */
async function expectNothingGrave(page: Page, where: string): Promise<void> {
  expect(await graveFaults(page), where).toEqual([]);
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(overflow, where).toBeLessThanOrEqual(0);
}
