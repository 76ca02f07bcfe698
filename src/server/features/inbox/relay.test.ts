import MailComposer from 'nodemailer/lib/mail-composer/index.js';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openBrowser, type Browser } from '../../../../test/browser.ts';
import { startMailServer, type MailServer } from '../../../../test/stand-ins/mail-server.ts';
import { startProduct, type Product, type TestClient } from '../../../../test/product.ts';
import type { Plugin } from '../../../contract/plugin.ts';
import { newId } from '../../id.ts';
import { forgetIdle } from '../visitor/store.ts';

const RELAY_AFTER_MS = 1000;

let product: Product;
let mail: MailServer;
let ada: TestClient;
let organizationId: string;
let agentId: string;

beforeAll(async () => {
  mail = await startMailServer();
  product = await startProduct({
    ssrfAllowedHosts: [mail.host],
    inboxRelayAfterSeconds: RELAY_AFTER_MS / 1000,
  });
  ada = product.as('ada');
  organizationId = (await ada.organization.create({ name: 'Acme' })).organization.id;
});
afterAll(async () => {
  await product.close();
  await mail.close();
});
beforeEach(async () => {
  agentId = (await ada.chatbot.create({ organizationId, name: 'Helper' })).chatbot.id;
  mail.mails = [];
});

const openMailbox = async () =>
  (
    await ada.plugin.create({
      chatbotId: agentId,
      type: 'email',
      settingsData: { address: 'help@shop.example', name: 'The shop' },
      credentials: { smtpUrl: mail.url },
    })
  ).plugin;

const arrived = (count: number) => expect.poll(() => mail.mails.length).toBe(count);

/** Someone with an address who has asked for a person. */
async function waitingPerson(name: string): Promise<{ browser: Browser; email: string; id: string }> {
  const browser = openBrowser(product);
  const email = `${name}@example.com`;
  await browser.signIn(email);
  const { id } = (await browser.client.chat.create({ chatbotId: agentId, title: 'My bill' })).conversation;
  await browser.client.handover.ask({ id });
  return { browser, email, id };
}

/** The person's mail program replies to this mail. */
async function answerTo(
  told: (typeof mail.mails)[number] | undefined,
  { from, text, plugin }: { from: string; text: string; plugin: Plugin },
): Promise<void> {
  const answer = await new MailComposer({
    from: { name: 'Bob', address: from },
    to: 'help@shop.example',
    subject: 'AW: Re: My bill',
    messageId: `<answer-${from}>`,
    inReplyTo: told?.messageId ?? '',
    references: [told?.references ?? [], told?.messageId ?? ''].flat(),
    text: `${text}\n\nOn Sun, Nov 22, 2026 at 9:00 AM The shop <help@shop.example> wrote:\n> We pay it back.`,
  })
    .compile()
    .build();
  const response = await fetch(`${product.url}/v1/plugin/${plugin.id}/webhook`, {
    method: 'POST',
    headers: { authorization: `Bearer ${plugin.verifyToken}`, 'content-type': 'message/rfc822' },
    body: new Uint8Array(answer),
  });
  expect(response.status).toBe(200);
}

const saidIn = async ({ client }: Browser, id: string) =>
  (await client.chat.listMessages({ id })).messages.map(({ text }) => text);

test('what an absent end user has not read comes by mail, and their reply joins the same conversation', async () => {
  const plugin = await openMailbox();
  const { browser, email, id } = await waitingPerson('bob');
  await ada.inbox.write({ id, text: 'It is **two** euros too high.' });
  await ada.inbox.write({ id, text: 'We pay it back.' });
  await arrived(2);
  const [first, second] = mail.mails;
  expect(first).toMatchObject({ subject: 'Re: My bill' });
  expect(first?.to).toMatchObject({ text: email });
  expect(first?.from?.value).toEqual([{ name: 'The shop', address: 'help@shop.example' }]);
  expect([first?.text?.trim(), second?.text?.trim()]).toEqual([
    '**ada (person):** It is **two** euros too high.',
    '**ada (person):** We pay it back.',
  ]);
  expect(second?.references).toEqual(first?.references);

  await answerTo(second, { from: email, text: 'Thank you.', plugin });
  await expect
    .poll(() => saidIn(browser, id))
    .toEqual(['It is **two** euros too high.', 'We pay it back.', 'Thank you.']);
  expect((await browser.client.chat.list()).conversations.map((each) => each.id)).toEqual([id]);
  await ada.inbox.write({ id, text: 'Have a nice day.' });
  await arrived(3);
  expect([mail.mails[2]?.references].flat()[0]).toBe([first?.references].flat()[0]);
});

test('a reply by mail finds its conversation days later, after silent visitors have been deleted', async () => {
  const plugin = await openMailbox();
  const { browser, email, id } = await waitingPerson('fay');
  await ada.inbox.write({ id, text: 'We pay it back.' });
  await arrived(1);
  await product.app.deps.db.owner.query(`update visitor set last_seen_at = now() - interval '3 days'`);
  await forgetIdle(product.app.deps.db);
  await answerTo(mail.mails[0], { from: email, text: 'Thank you.', plugin });
  await expect.poll(() => saidIn(browser, id)).toEqual(['We pay it back.', 'Thank you.']);
});

test('what was loaded on a page that nobody looks at is sent by mail', async () => {
  await openMailbox();
  const { browser, id } = await waitingPerson('cora');
  await ada.inbox.write({ id, text: 'I am here.' });
  await browser.client.chat.get({ id, seen: 'false' });
  await browser.client.chat.listMessages({ id, orderBy: 'desc', seen: 'false' });
  expect((await ada.inbox.get({ id })).conversation.seenAt).toBeNull();
  await arrived(1);
});

test('an end user who has read it, or has written since, gets no mail', async () => {
  await openMailbox();
  const { browser, id } = await waitingPerson('cleo');
  expect((await ada.inbox.get({ id })).conversation.seenAt).toBeNull();
  await ada.inbox.write({ id, text: 'I am here.' });
  await browser.client.chat.listMessages({ id, orderBy: 'desc' });
  expect((await ada.inbox.get({ id })).conversation.seenAt).not.toBeNull();
  await ada.inbox.release({ id });
  const other = await waitingPerson('dora');
  await ada.inbox.write({ id: other.id, text: 'I am here.' });
  await other.browser.client.chat.send({ id: other.id, text: 'Good.' });
  await sleep(4 * RELAY_AFTER_MS);
  expect(mail.mails).toEqual([]);
});

/** As if by submitting a form. */
const leaveAddress = (conversationId: string, address: string) =>
  product.app.deps.db.owner.query(
    `insert into lead (id, organization_id, agent_id, conversation_id, values) values ($1, $2, $3, $4, $5)`,
    [
      newId('lead'),
      organizationId,
      agentId,
      conversationId,
      JSON.stringify([
        { key: 'name', label: 'Name', value: 'Gus' },
        { key: 'mail', label: 'Mail', value: address },
      ]),
    ],
  );

const toldTo = ({ mailTo }: Browser, email: string, words: string) =>
  expect
    .poll(
      () =>
        mailTo(email).then(
          ({ text }) => text,
          () => '',
        ),
      { timeout: 15_000 },
    )
    .toContain(words);

test('without a mailbox of the agent the mail links back to the chat, even to an address left there', async () => {
  const { browser, email, id } = await waitingPerson('emil');
  await ada.inbox.write({ id, text: 'It is paid back.\n1. Look <today>.' });
  await toldTo(browser, email, 'ada (person): It is paid back.');
  const { text, html } = await browser.mailTo(email);
  expect(text).toContain(`/chat/${id}`);
  // Line breaks are kept, and nothing that was written is markup.
  expect(html).toContain('It is paid back.<br>1. Look &lt;today&gt;.');

  const guest = product.as('gus', 'guest');
  const asked = (await guest.chat.create({ chatbotId: agentId })).conversation.id;
  await guest.handover.ask({ id: asked });
  await leaveAddress(asked, 'gus@bücher.example');
  await ada.inbox.write({ id: asked, text: 'Hello Gus.' });
  await toldTo(browser, 'gus@xn--bcher-kva.example', 'ada (person): Hello Gus.');
});

test('a message written before the agent is moved still comes by mail', async () => {
  await openMailbox();
  const { id } = await waitingPerson('flo');
  const to = (await ada.organization.create({ name: 'Beta' })).organization.id;
  await ada.inbox.write({ id, text: 'It is paid back.' });
  await ada.agentKeeping.transfer({ id: agentId, organizationId, toOrganizationId: to, name: 'Helper' });
  await arrived(1);
});

test('a message written before the agent was deleted comes by mail once it is restored', async () => {
  await openMailbox();
  const { id } = await waitingPerson('fred');
  await ada.inbox.write({ id, text: 'It is paid back.' });
  await ada.chatbot.remove({ id: agentId, organizationId });
  await sleep(4 * RELAY_AFTER_MS);
  expect(mail.mails).toEqual([]);
  await ada.agentKeeping.restore({ id: agentId, organizationId });
  await arrived(1);
});

test('an end user who leaves another address gets mail there from then on', async () => {
  await openMailbox();
  const guest = product.as('gil', 'guest');
  const { id } = (await guest.chat.create({ chatbotId: agentId })).conversation;
  await guest.handover.ask({ id });
  await leaveAddress(id, 'gil@exmaple.com');
  await ada.inbox.write({ id, text: 'We pay it back.' });
  await arrived(1);
  await leaveAddress(id, 'gil@example.com');
  await ada.inbox.write({ id, text: 'It is on its way.' });
  await arrived(2);
  expect(mail.mails.map(({ to, text }) => [[to].flat()[0]?.text, text?.trim()])).toEqual([
    ['gil@exmaple.com', '**ada (person):** We pay it back.'],
    ['gil@example.com', '**ada (person):** It is on its way.'],
  ]);
});
