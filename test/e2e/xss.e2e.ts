import { expect, test, type BrowserContext } from '@playwright/test';
import type { InputOf } from '../../src/contract/route.ts';
import type { chatbot } from '../../src/contract/chatbot.ts';
import { openBrowserClient, type BrowserClient } from '../browser-client.ts';
import { startProvider, type Provider } from '../stand-ins/provider.ts';
import { packed, payloads, shortPayloads, watchForHarm, type Harm } from './hostile.ts';
import { Server } from './server.ts';

/**
 * Hostile text wherever a person or a model can write any, on every screen that shows it: no script runs, no other
 * origin is contacted, and the pages' policy has nothing to block.
 */

const MESSAGES_A_CONVERSATION = 60;

let server: Server;
let provider: Provider;
let client: BrowserClient['client'];
let jar: BrowserClient['jar'];
let organizationId: string;
const agents: string[] = [];
const conversations: string[] = [];

test.beforeAll(async () => {
  provider = await startProvider({ pieces: ['Yes.'] });
  server = await Server.start({
    ...provider.environment,
    SEED_DEMO: 'off',
    BILLING_MODE: 'off',
    GUEST_CONVERSATIONS_PER_HOUR: '1000',
  });
  const browser = openBrowserClient(server.url);
  ({ client, jar } = browser);
  browser.adopt(await client.identity.signInAsGuest());
  await client.user.register({ name: packed(80)[0] ?? '', username: 'ada' });
  browser.adopt((await client.identity.refresh()).session ?? undefined);
  organizationId = (await client.organization.create({ name: packed(80)[1] ?? '' })).organization.id;
  await makeAgents();
  await makeKnowledge();
  await makeConversations();
  await makeTheRest();
});
test.afterAll(async () => {
  await server.remove();
  await provider.close();
});

/** The n-th item of a list that wraps around. */
const nth = (list: readonly string[], index: number) => list[index % list.length] ?? '';

async function makeAgents(): Promise<void> {
  const [names, starters, welcomes] = [packed(80), shortPayloads(80), packed(500)];
  const customInstructions = packed(20_000)[0] ?? '';
  for (const [index, name] of names.entries()) {
    const { id } = (await client.chatbot.create({ organizationId, name })).chatbot;
    const changes: Partial<InputOf<typeof chatbot.update>> = {
      customInstructions,
      welcomeMessage: nth(welcomes, index),
      fallbackMessage: nth(welcomes, index + 1),
      conversationStarters: Array.from({ length: 6 }, (_, each) => nth(starters, index * 6 + each)),
      website: 'https://evil.example/"><img src=x onerror=alert(1)>',
    };
    await client.chatbot.update({ id, organizationId, ...changes });
    agents.push(id);
  }
}

async function makeKnowledge(): Promise<void> {
  const id = agents[0] ?? '';
  const about = { id, organizationId };
  for (const description of packed(120).slice(0, 24))
    await client.knowledge.create({
      ...about,
      type: 'text',
      description,
      text: `# ${description}\n\nThe question of lamps.`,
    });
  const [question = '', answer = ''] = packed(2000);
  await client.knowledge.create({ ...about, type: 'qa', description: question, text: answer });
  const links = ['"><img src=x onerror=alert(1)>', "?'onclick=alert(1)", '#<svg onload=alert(1)>'].map(
    (tail) => `http://nothing.invalid/${tail}`,
  );
  await client.knowledge.create({ ...about, type: 'website', description: question.slice(0, 100), links });
  for (const name of packed(180).slice(0, 6)) {
    const media = new File([packed(500).join('\n\n')], `${name.replaceAll('/', '')}.md`);
    const { file } = await client.file.upload({ organizationId, media });
    await client.knowledge.create({ ...about, type: 'file', files: [file.id] });
  }
  // Constant requests keep it from being read.
  const isRead = async () =>
    (await client.knowledge.list({ id })).allKnowledge.filter(({ progress }) => progress.state === 'ready')
      .length;
  await expect.poll(isRead, { timeout: 120_000, intervals: [3000] }).toBeGreaterThan(3);
}

/** Each text as a message and as the model's answer; and answers that rest on sources with hostile names. */
async function makeConversations(): Promise<void> {
  const [withKnowledge = '', withoutKnowledge = ''] = agents;
  for (let from = 0; from < payloads.length; from += MESSAGES_A_CONVERSATION)
    await converse(withoutKnowledge, payloads.slice(from, from + MESSAGES_A_CONVERSATION));
  await converse(withKnowledge, payloads.slice(0, 10));
  for (const title of packed(120)) await client.chat.create({ chatbotId: withoutKnowledge, title });
}

async function converse(chatbotId: string, texts: string[]): Promise<void> {
  const { id } = (await client.chat.create({ chatbotId })).conversation;
  conversations.push(id);
  for (const text of texts) {
    provider.script = { pieces: [text, '\n\n[1] [2]'] };
    await client.chat.send({ id, text: `${text}\n\nlamps` });
  }
}

async function makeTheRest(): Promise<void> {
  for (const name of packed(80)) await client.team.create({ organizationId, name });
  for (const name of packed(60).slice(0, 20))
    await client.apiKey.create({ organizationId, name, scope: 'read' });
  await client.member.invite({ organizationId, email: 'friend@example.com', role: 'viewer' });
}

const ofAda = new WeakSet<BrowserContext>();

async function signedIn(context: BrowserContext): Promise<Harm> {
  ofAda.add(context);
  await context.addCookies([...jar].map(([name, value]) => ({ name, value, url: server.url })));
  return watchForHarm(context, server.url);
}

// The session's cookie changes with each use.
test.afterEach(async ({ context }) => {
  if (!ofAda.has(context)) return;
  for (const { name, value } of await context.cookies(server.url)) jar.set(name, value);
});

const settled = { waitUntil: 'networkidle' } as const;
const nothing: Harm = { executed: [], foreign: [], refused: [] };

test('there are at least two hundred texts', () => {
  expect(payloads.length).toBeGreaterThanOrEqual(200);
});

test('an organization’s screens run nothing written on them', async ({ page, context }) => {
  const harm = await signedIn(context);
  const home = `/platform/${organizationId}`;
  const { teams } = await client.team.list({ orgId: organizationId });
  const { members } = await client.member.list({ orgId: organizationId });
  const account = [
    'billing',
    'members',
    'members/invite',
    'organization',
    'organization/edit',
    'profile',
    'teams',
    'models',
    'api-keys',
    'audit',
  ];
  for (const path of [
    `${home}/agent`,
    ...account.map((each) => `${home}/account/${each}`),
    `${home}/account/teams/${teams[0]?.id}`,
    `${home}/account/members/${members[0]?.id}`,
    '/app/account',
    '/app/learn',
    '/app/membership',
    '/app/voicemail',
    '/',
  ]) {
    await page.goto(server.url + path, settled);
    await expect(page.locator('main'), path).toHaveCount(1);
    expect(new URL(page.url()).pathname.startsWith(path), path).toBe(true);
    expect([path, harm]).toEqual([path, nothing]);
  }
});

test('the screens of an agent and its knowledge run nothing written on them', async ({ page, context }) => {
  const harm = await signedIn(context);
  const agent = `/platform/${organizationId}/agent/${agents[0]}`;
  const { allKnowledge } = await client.knowledge.list({ id: agents[0] ?? '' });
  const items = allKnowledge.filter((_, index) => index % 4 === 0 || index < 9);
  const sections = [
    'home',
    'knowledge',
    'settings',
    'settings/profile',
    'settings/instructions',
    'settings/model',
    'settings/share',
    'settings/danger',
    'plugins',
    'knowledge/create/text',
  ];
  for (const path of [
    ...sections.map((each) => `${agent}/${each}`),
    ...items.flatMap(({ id, type }) => [
      `${agent}/knowledge/${id}`,
      ...(type === 'file' ? [] : [`${agent}/knowledge/${id}/edit`]),
    ]),
  ]) {
    await page.goto(server.url + path, settled);
    await expect(page.locator('main'), path).toHaveCount(1);
    expect(new URL(page.url()).pathname.startsWith(path), path).toBe(true);
    expect([path, harm]).toEqual([path, nothing]);
  }
});

test('messages of people and models are plain text, and so are a conversation’s title and sources', async ({
  page,
  context,
}) => {
  const harm = await signedIn(context);
  const { link } = await client.chatLink.create({ id: conversations[0] ?? '', audience: 'anybody' });
  for (const path of [
    ...conversations.map((id) => `/chat/${id}`),
    `/chat/${link.token}`,
    `/chat/${agents[0]}`,
  ]) {
    await page.goto(server.url + path, settled);
    await expect(page.getByRole('textbox').or(page.getByText('lamps')).first(), path).toBeVisible();
    expect([path, harm]).toEqual([path, nothing]);
  }
  await page.goto(`${server.url}/chat/${conversations.at(-1)}`, settled);
  const sources = page.getByRole('button', { name: /^Source \d/ });
  await sources.first().click();
  await expect(page.getByRole('complementary', { name: 'Passage' })).toBeVisible();
  expect(harm).toEqual(nothing);
});

test('the first screen of each agent, in the app and in the widget, runs nothing', async ({
  page,
  context,
}) => {
  const harm = await watchForHarm(context, server.url);
  for (const [index, id] of agents.slice(0, 36).entries()) {
    await page.goto(`${server.url}/chat/${id}`);
    await expect(page.getByRole('textbox').first()).toBeVisible();
    if (index % 8 === 0) await page.goto(`${server.url}/embed/${id}`, settled);
    expect([id, harm]).toEqual([id, nothing]);
  }
});

test('a file with a malicious name is refused with a reason', async ({ page, context }) => {
  const harm = await signedIn(context);
  const agent = `${server.url}/platform/${organizationId}/agent/${agents[1]}`;
  await page.goto(`${agent}/knowledge/create/file`, settled);
  const files = shortPayloads(80)
    .slice(0, 10)
    .map((name) => ({
      name: `${name.replaceAll('/', '')}.exe`,
      mimeType: 'text/html',
      buffer: Buffer.from('x'),
    }));
  await page.locator('input[type=file]').first().setInputFiles(files);
  await expect(page.getByText(/\.exe/).first()).toBeVisible();
  expect(harm).toEqual(nothing);
});

test('input in an address or returned in a mail runs nothing and leads nowhere else', async ({
  page,
  context,
}) => {
  const harm = await signedIn(context);
  const nobody = await context.browser()?.newContext();
  const outside = await nobody?.newPage();
  if (!nobody || !outside) throw new Error('There is no browser.');
  const strangerHarm = await watchForHarm(nobody, server.url);
  const hostile = [
    payloads[0],
    payloads[7],
    payloads[20],
    '//evil.example',
    'javascript:alert(1)',
    '/\\evil.example',
  ];
  for (const text of hostile.map((each) => encodeURIComponent(each ?? ''))) {
    for (const path of [
      `/nowhere/${text}`,
      `/chat/${text}`,
      `/embed/${text}`,
      `/auth/google?error=${text}&error_description=${text}&state=${text}`,
      `/auth/invite?token=${text}`,
      `/auth/email-verification?token=${text}&email=${text}`,
      `/auth?redirect=${text}&next=${text}&returnTo=${text}`,
      `/checkout/confirmation?next=${text}#${text}`,
    ]) {
      await outside.goto(server.url + path);
      await expect(outside.locator('body')).not.toBeEmpty();
    }
    await page.goto(`${server.url}/platform/${text}/agent/${text}`, settled);
    const audit = `account/audit?actor=${text}&action=${text}`;
    await page.goto(`${server.url}/platform/${organizationId}/${audit}`, settled);
  }
  await page.goto(`${server.url}/dev/inbox`);
  await expect(page.getByText('To friend@example.com')).toBeVisible();
  expect([harm, strangerHarm]).toEqual([nothing, nothing]);
  expect(new URL(outside.url()).origin).toBe(server.url);
  await nobody.close();
});
