import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { channelUrls } from '../../../../test/channel-urls.ts';
import { startDiscordService, type DiscordService } from '../../../../test/stand-ins/discord-service.ts';
import { startProduct, type Product, type TestClient } from '../../../../test/product.ts';
import { startProvider, type Provider } from '../../../../test/stand-ins/provider.ts';
import { startSlackService, type SlackService } from '../../../../test/stand-ins/slack-service.ts';
import { startTelegramService, type TelegramService } from '../../../../test/stand-ins/telegram-service.ts';
import { startVoiceProvider, type VoiceProvider } from '../../../../test/stand-ins/voice-provider.ts';
import { startWhatsAppService, type WhatsAppService } from '../../../../test/stand-ins/whatsapp-service.ts';
import { ATTACHMENT_MAX_BYTES } from '../../../contract/limits.ts';
import type { PluginType } from '../../../contract/plugin-names.ts';

let telegram: TelegramService;
let slack: SlackService;
let discord: DiscordService;
let whatsApp: WhatsAppService;
let foreign: SlackService;
let provider: Provider;
let voice: VoiceProvider;
let product: Product;
let owner: TestClient;
let organizationId: string;
let chatbotId: string;

const notes = Buffer.from('The secret colour is magenta.');
const recording = Buffer.concat([Buffer.from('OggS'), Buffer.alloc(60, 7)]);
let picture: Buffer;

beforeAll(async () => {
  [telegram, slack, discord, whatsApp, foreign] = await Promise.all([
    startTelegramService(),
    startSlackService(),
    startDiscordService(),
    startWhatsAppService(),
    startSlackService(),
  ]);
  provider = await startProvider({ pieces: ['It is magenta.'] });
  voice = await startVoiceProvider();
  picture = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
  const urls = { telegram: telegram.url, slack: slack.url, discord: discord.url, whatsapp: whatsApp.url };
  product = await startProduct({
    providers: { openai: provider.openai },
    transcription: { model: 'whisper-1', apiKey: 'sk-voice', baseUrl: voice.baseUrl },
    channelUrls: channelUrls(urls),
    ssrfAllowedHosts: [slack.url, discord.url, whatsApp.url, foreign.url].map((url) => new URL(url).host),
  });
  owner = product.as('owner');
  organizationId = (await owner.organization.create({ name: 'Acme' })).organization.id;
});
afterAll(async () => {
  await product.close();
  const services = [telegram, slack, discord, whatsApp, foreign, provider, voice];
  await Promise.all(services.map((each) => each.close()));
});
beforeEach(async () => {
  chatbotId = (await owner.chatbot.create({ organizationId, name: 'Helper' })).chatbot.id;
  await owner.chatbot.update({ id: chatbotId, organizationId, voiceEnabled: true });
  for (const { sent } of [telegram, slack, discord, whatsApp]) sent.length = 0;
  provider.requests.length = 0;
  whatsApp.mediaUrl = undefined;
});

async function install(type: PluginType, settingsData: object, credentials: Record<string, string>) {
  const given = { chatbotId, type, settingsData: { ...settingsData }, credentials };
  const { plugin } = await owner.plugin.create(given);
  expect(plugin.health.error).toBeNull();
  return plugin;
}

const installTelegram = () => install('telegram', {}, { botToken: telegram.token });
async function installSlack() {
  const { signingSecret, token: botToken } = slack;
  slack.webhookUrl = (await install('slack', {}, { botToken, signingSecret })).webhookUrl ?? '';
}
async function installWhatsApp() {
  const { phoneNumberId, token: accessToken, appSecret } = whatsApp;
  const { webhookUrl } = await install('whatsapp', { phoneNumberId }, { accessToken, appSecret });
  whatsApp.webhookUrl = webhookUrl ?? '';
}

const asked = () => JSON.stringify(provider.requests.at(-1) ?? {});

test('a document and an image in Telegram are read like those of the chat', async () => {
  const { id } = await installTelegram();
  telegram.files.set('documents/notes.txt', notes);
  telegram.files.set('photos/1.jpg', picture);
  const document = { file_id: 'documents/notes.txt', file_unique_id: 'n', file_name: 'notes.txt' };
  await telegram.deliver(telegram.media({ document, caption: 'Which colour?' }));
  await expect.poll(() => telegram.sent.length).toBe(1);
  expect(asked()).toContain('The secret colour is magenta.');
  const photo = [{ file_id: 'photos/1.jpg', file_unique_id: 'p', width: 8, height: 8 }];
  await telegram.deliver(telegram.media({ photo }));
  await expect.poll(() => telegram.sent.length).toBe(2);
  expect(asked()).toContain('data:image/webp;base64');
  const states = async () => (await owner.plugin.listMessages({ id })).messages.map(({ state }) => state);
  await expect.poll(states).toEqual(['answered', 'answered']);
});

test("a document in Slack is read with the bot's token, which goes to no other host", async () => {
  await installSlack();
  slack.files.set('/files-pri/notes.txt', notes);
  const file = (name: string, url: string) => ({ id: 'F1', name, mimetype: 'text/plain', url_private: url });
  const own = file('notes.txt', `${slack.url}/files-pri/notes.txt`);
  await slack.deliver(slack.direct('Which colour?', { subtype: 'file_share', files: [own] }));
  await expect.poll(() => slack.sent.length).toBe(1);
  expect(asked()).toContain('magenta');
  // This service responds only to requests with the same token.
  foreign.files.set('/notes.txt', notes);
  const elsewhere = file('stolen.txt', `${foreign.url}/notes.txt`);
  await slack.deliver(slack.direct('And this?', { files: [elsewhere] }));
  await expect.poll(() => slack.sent.length).toBe(2);
  expect(foreign.calls).toEqual([]);
});

test('an internal address is not read, whoever names it', async () => {
  await installSlack();
  const inner = [
    'http://127.0.0.1:1/',
    'http://169.254.169.254/latest',
    'http://[::1]:1/',
    'file:///etc/passwd',
  ];
  const files = inner.map((url, index) => ({ id: `F${index}`, name: `f${index}.txt`, url_private: url }));
  await slack.deliver(slack.direct('Read these', { files }));
  await expect.poll(() => slack.sent.length).toBe(1);
  for (const { name } of files) expect(slack.sent[0]?.text).toContain(`${name}: `);
  expect(slack.sent[0]?.text).toContain('It is magenta.');
});

test('a file attached to a Discord command is read', async () => {
  const { applicationId, publicKey, token: botToken } = discord;
  await install('discord', { applicationId, publicKey }, { botToken });
  discord.files.set('/attachments/notes.txt', notes);
  const options = [
    { name: 'question', type: 3, value: 'Which colour?' },
    { name: 'file', type: 11, value: '9' },
  ];
  const attachments = {
    '9': { id: '9', filename: 'notes.txt', url: `${discord.url}/attachments/notes.txt` },
  };
  const data = { name: 'ask', type: 1, options, resolved: { attachments } };
  await discord.deliver(discord.ask('Which colour?', { data }));
  await expect.poll(() => discord.sent.length).toBe(1);
  expect(asked()).toContain('magenta');
});

test("WhatsApp media are read with the token at Meta's own addresses only", async () => {
  await installWhatsApp();
  whatsApp.files.set('555', notes);
  const document = { id: '555', filename: 'notes.txt', caption: 'Which colour?' };
  await whatsApp.deliver([whatsApp.message('', { type: 'document', text: undefined, document })]);
  await expect.poll(() => whatsApp.sent.length).toBe(1);
  expect(asked()).toContain('magenta');
  whatsApp.mediaUrl = `${foreign.url}/notes.txt`;
  foreign.calls.length = 0;
  await whatsApp.deliver([whatsApp.message('', { type: 'document', text: undefined, document })]);
  await expect.poll(() => whatsApp.sent.length).toBe(2);
  expect(foreign.calls).toEqual([]);
});

test('a voice message is transcribed and answered, and where voice is off the person is told', async () => {
  await installTelegram();
  telegram.files.set('voice/1.oga', recording);
  const spoken = { file_id: 'voice/1.oga', file_unique_id: 'v', duration: 2 };
  await telegram.deliver(telegram.media({ voice: spoken }));
  await expect.poll(() => telegram.sent.length).toBe(1);
  expect(asked()).toContain('When do you open?');
  await owner.chatbot.update({ id: chatbotId, organizationId, voiceEnabled: false });
  await telegram.deliver(telegram.media({ voice: spoken }));
  await expect.poll(() => telegram.sent.length).toBe(2);
  expect(telegram.sent[1]?.text).toContain('Voice messages are not supported here');
});

test('transcriptions for one person are limited like their messages', async () => {
  await installTelegram();
  telegram.files.set('voice/1.oga', recording);
  const before = voice.transcriptions.length;
  const spoken = { file_id: 'voice/1.oga', file_unique_id: 'v', duration: 2 };
  for (let sent = 0; sent < 15; sent += 1) await telegram.deliver(telegram.media({ voice: spoken }));
  await expect.poll(() => telegram.sent.length, { timeout: 60_000 }).toBe(15);
  // Each counts as two of the 20 messages.
  expect(voice.transcriptions.length - before).toBe(10);
  expect(telegram.sent[14]?.text).not.toContain('magenta');
});

test('an unusable file is reported: too large, of an unknown kind, no longer there', async () => {
  const { id } = await installTelegram();
  telegram.files.set('big.txt', Buffer.alloc(ATTACHMENT_MAX_BYTES + 1, 'a'));
  telegram.files.set('odd.bin', Buffer.from([0, 1, 2, 3, 255, 254]));
  const document = (name: string) => ({ file_id: name, file_unique_id: name, file_name: name });
  for (const name of ['big.txt', 'odd.bin', 'gone.txt'])
    await telegram.deliver(telegram.media({ document: document(name) }));
  await expect.poll(() => telegram.sent.length, { timeout: 60_000 }).toBe(3);
  const told = telegram.sent.map(({ text }) => text);
  expect(told[0]).toContain('too large');
  expect(told[1]).toContain('odd');
  expect(told[2]).toContain('could not be fetched');
  expect(provider.requests).toHaveLength(0);
  const states = async () => (await owner.plugin.listMessages({ id })).messages.map(({ state }) => state);
  await expect.poll(states).toEqual(['failed', 'failed', 'failed']);
});

test('a bot command is answered with the welcome and starter questions, without a model', async () => {
  await owner.chatbot.update({
    id: chatbotId,
    organizationId,
    welcomeMessage: 'Welcome to Acme!',
    conversationStarters: ['When are you open?'],
  });
  const { id } = await installTelegram();
  await telegram.deliver(
    telegram.media({ text: '/start abc', entities: [{ type: 'bot_command', offset: 0, length: 6 }] }),
  );
  await expect.poll(() => telegram.sent.length).toBe(1);
  expect(telegram.sent[0]?.text).toMatch(/Welcome to Acme![^]*When are you open\?/);
  expect(provider.requests).toHaveLength(0);
  await expect
    .poll(async () => (await owner.plugin.listMessages({ id })).messages)
    .toMatchObject([{ state: 'answered', conversationId: null }]);
});
