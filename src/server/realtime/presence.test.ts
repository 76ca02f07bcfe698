import type { AddressInfo } from 'node:net';
import type { Socket } from 'socket.io-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Author } from '../../contract/chat.ts';
import type { PresentMember } from '../../contract/events.ts';
import { join } from '../../../test/join.ts';
import { startProduct, type Product } from '../../../test/product.ts';
import { openSocket, outcomeOf } from '../../../test/sockets.ts';
import { createApp, type App } from '../app.ts';
import { createLog } from '../log.ts';

/** Members in one inbox, on two processes. */

let product: Product;
let other: App;
let otherUrl: string;
let organizationId: string;
let conversationId: string;
const sockets: Socket[] = [];

beforeAll(async () => {
  product = await startProduct();
  const { config } = product.app.deps;
  other = await createApp({ ...config, databaseUrl: product.databaseUrl }, createLog(config));
  await other.http.listen({ host: '127.0.0.1', port: 0 });
  otherUrl = `http://127.0.0.1:${(other.http.server.address() as AddressInfo).port}`;
  const ada = product.as('ada');
  organizationId = (await ada.organization.create({ name: 'Acme' })).organization.id;
  const { id } = (await ada.chatbot.create({ organizationId, name: 'Helper' })).chatbot;
  await ada.chatbot.update({ id, organizationId, isPublic: true });
  conversationId = (await product.as('cleo').chat.create({ chatbotId: id, text: 'Hello?' })).conversation.id;
});
afterAll(async () => {
  for (const socket of sockets) socket.disconnect();
  await other.close();
  await product.close();
});

/** A socket with the last presence it received. */
async function look(idToken: string, at?: string) {
  const socket = openSocket({ ...product, ...(at && { url: at }) }, { idToken });
  sockets.push(socket);
  const heard: { members: PresentMember[]; online: Author[] } = { members: [], online: [] };
  socket.on('inbox.present', ({ members }) => (heard.members = members));
  socket.on('inbox.online', (event) => (heard.online = event.online));
  expect(await outcomeOf(socket)).toBe('connected');
  const be = (isWriting = false, conversation: string | null = conversationId) =>
    socket.emit('inbox.here', { organizationId, conversationId: conversation, isWriting });
  const names = () =>
    heard.members.map(({ name, isWriting }) => (isWriting ? `${name} writes` : name)).toSorted();
  return { socket, be, names, online: () => heard.online.map(({ name }) => name).toSorted() };
}

const soon = { timeout: 10_000 };

test('members see each other at a conversation, across processes, until the tab is closed', async () => {
  const bob = await join(product, product.as('ada'), 'bob', { organizationId, role: 'editor' });
  const mine = await look((await product.sessionOf('ada')).idToken);
  const { idToken } = await bob.refresh();
  const theirs = await look(idToken, otherUrl);
  mine.be();
  await expect.poll(mine.names, soon).toEqual(['ada']);
  theirs.be();
  await expect.poll(mine.names, soon).toEqual(['ada', 'bob']);
  await expect.poll(theirs.names, soon).toEqual(['ada', 'bob']);
  await expect.poll(mine.online, soon).toEqual(['ada', 'bob']);
  theirs.be(true);
  await expect.poll(mine.names, soon).toEqual(['ada', 'bob writes']);
  // A second tab is not a second person.
  const second = await look(idToken);
  second.be();
  await expect.poll(second.names, soon).toEqual(['ada', 'bob writes']);
  second.socket.disconnect();
  theirs.be(false, null);
  await expect.poll(mine.names, soon).toEqual(['ada']);
  await expect.poll(mine.online, soon).toEqual(['ada', 'bob']);
  theirs.be();
  await expect.poll(mine.names, soon).toEqual(['ada', 'bob']);
  theirs.socket.disconnect();
  await expect.poll(mine.names, soon).toEqual(['ada']);
  await expect.poll(mine.online, soon).toEqual(['ada']);
  mine.socket.emit('inbox.left');
});

test('an unauthorized viewer is neither told nor listed, and one who loses access is gone by the next check', async () => {
  const mine = await look((await product.sessionOf('ada')).idToken);
  mine.be();
  await expect.poll(mine.names, soon).toEqual(['ada']);
  const eve = await look((await product.sessionOf('eve')).idToken);
  const heard: unknown[] = [];
  eve.socket.onAny((...event) => heard.push(event));
  // The end user whose conversation it is has no inbox either.
  const cleo = await look((await product.sessionOf('cleo')).idToken);
  cleo.socket.onAny((...event) => heard.push(event));
  for (const each of [eve, cleo]) {
    each.be();
    each.be(true, null);
    each.socket.emit('inbox.here', { organizationId: '*', conversationId, isWriting: true });
  }
  const dan = await join(product, product.as('ada'), 'dan', { organizationId, role: 'editor' });
  const theirs = await look((await dan.refresh()).idToken);
  theirs.be();
  await expect.poll(mine.names, soon).toEqual(['ada', 'dan']);
  await product.as('ada').member.remove({ id: dan.memberId });
  await expect.poll(mine.names).toEqual(['ada']);
  await expect.poll(mine.online, soon).toEqual(['ada']);
  expect(heard).toEqual([]);
});

test.each([['x'], [null], [{ organizationId: 1, conversationId: null, isWriting: false }], [[]]])(
  'a malformed presence message, %j, closes that socket',
  async (here) => {
    const { socket } = await look((await product.sessionOf('ada')).idToken);
    const ended = new Promise((resolve) => socket.once('disconnect', resolve));
    socket.emit('inbox.here', here);
    await ended;
  },
);
