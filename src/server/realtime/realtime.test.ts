import { decodeJwt, SignJWT } from 'jose';
import { io, type Socket } from 'socket.io-client';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { join } from '../../../test/join.ts';
import { startProduct, type Product } from '../../../test/product.ts';
import { openRawSocket } from '../../../test/raw-socket.ts';
import { openSocket, outcomeOf } from '../../../test/sockets.ts';
import { openBrowser } from '../../../test/browser.ts';

/** Who gets a socket, for how long, and what they receive on it. */

let product: Product;
let organizationId: string;
let agentId: string;
const opened: Socket[] = [];

beforeAll(async () => {
  product = await startProduct();
  const ada = product.as('ada');
  organizationId = (await ada.organization.create({ name: 'Acme' })).organization.id;
  agentId = (await ada.chatbot.create({ organizationId, name: 'Helper' })).chatbot.id;
});
afterAll(() => product.close());
afterEach(() => {
  for (const socket of opened.splice(0)) socket.disconnect();
});

function open(auth: Record<string, unknown>, headers: Record<string, string> = {}): Socket {
  const socket = openSocket(product, auth, headers);
  opened.push(socket);
  return socket;
}

const tokenOf = async (name: string) => (await product.sessionOf(name)).idToken;
const ended = (socket: Socket) => new Promise((resolve) => socket.on('disconnect', resolve));

/** The person's token, signed again by us with different times. */
async function tokenUntil(secondsFromNow: number): Promise<string> {
  const { kid, privateKey } = await product.app.deps.identity.keys.current();
  const now = Math.floor(Date.now() / 1000);
  return new SignJWT({ ...decodeJwt(await tokenOf('ada')), iat: now - 60, exp: now + secondsFromNow })
    .setProtectedHeader({ alg: 'ES256', kid, typ: 'JWT' })
    .sign(privateKey);
}

test('a socket needs a valid token', async () => {
  const expired = await tokenUntil(-40);
  const { token: visitor } = await product.as('v', 'anonymous').visitor.authenticate({ chatbotId: agentId });
  const { secret } = await product.as('ada').apiKey.create({ organizationId, name: 'Key', scope: 'write' });
  const odd = [undefined, null, '', 7, {}, ['a'], true, 'forged', expired, visitor, secret];
  for (const idToken of odd) {
    const got = await outcomeOf(open({ idToken }));
    expect([idToken, got]).toEqual([idToken, 'auth/unauthenticated']);
  }
});

test('a cookie opens no socket, since a page of another site could send it', async () => {
  const cookie = `auth-token=${await tokenOf('ada')}`;
  for (const origin of ['https://evil.example', product.url])
    expect(await outcomeOf(open({}, { cookie, origin }))).toBe('auth/unauthenticated');
});

test('the token can be in the specified header too, and is verified there', async () => {
  expect(await outcomeOf(open({}, { 'id-token': await tokenOf('ada') }))).toBe('connected');
  expect(await outcomeOf(open({ idToken: await tokenOf('ada') }, { 'id-token': 'forged' }))).toBe(
    'auth/unauthenticated',
  );
});

test('a socket closes when its token expires', async () => {
  const socket = open({ idToken: await tokenUntil(2) });
  expect(await outcomeOf(socket)).toBe('connected');
  const began = performance.now();
  expect(await ended(socket)).toBe('io server disconnect');
  expect(performance.now() - began).toBeLessThan(3000);
});

test('signing out closes the socket at once, and the old token opens no other', async () => {
  const browser = openBrowser(product);
  const { idToken } = await browser.signIn('leaving@example.com');
  const socket = open({ idToken });
  expect(await outcomeOf(socket)).toBe('connected');
  const end = ended(socket);
  await browser.client.identity.signOut();
  expect(await end).toBe('io server disconnect');
  expect(await outcomeOf(open({ idToken }))).toBe('auth/unauthenticated');
});

test('an outage of authentication is reported and breaks nothing else', async () => {
  const { db } = product.app.deps;
  await db.owner.query('alter table "session" rename to session_away');
  const { idToken } = await product.sessionOf('nobody-yet').catch(() => ({ idToken: 'x' }));
  const outcome = await outcomeOf(open({ idToken: idToken === 'x' ? await tokenUntil(600) : idToken }));
  await db.owner.query('alter table session_away rename to "session"');
  expect(['server/unavailable', 'connected']).toContain(outcome);
  expect(await outcomeOf(open({ idToken: await tokenOf('ada') }))).toBe('connected');
});

test('a client hears nothing that is not its own, whatever it asks to join', async () => {
  const eve = open({ idToken: await tokenOf('eve'), organizationId, session_id: 'x', rooms: [agentId] });
  await outcomeOf(eve);
  const heard: unknown[] = [];
  eve.onAny((...event) => heard.push(event));
  const adaId = (await product.sessionOf('ada')).user.uid;
  for (const name of ['join', 'subscribe', 'organizationId', 'session_id', 'agent.join', 'room'])
    for (const id of [organizationId, `agent:${agentId}`, `user:${adaId}`, { room: `agent:${agentId}` }])
      eve.emit(name, id);
  expect(await eve.timeout(5000).emitWithAck('agent.watch', agentId)).toBe(false);
  expect(await eve.timeout(5000).emitWithAck('agent.watch', '*')).toBe(false);
  const { realtime } = product.app.deps;
  for (let index = 0; index < 10_000; index += 1)
    realtime.toUser(adaId, 'conversation.updated', { conversationId: 'c' });
  const ada = product.as('ada');
  await ada.knowledge.create({
    id: agentId,
    organizationId,
    type: 'text',
    description: 'Hours',
    text: 'Nine.',
  });
  const { conversation } = await ada.chat.create({ chatbotId: agentId, text: 'When?' });
  await ada.history.update({ id: conversation.id, title: 'Mine' });
  await eve.timeout(5000).emitWithAck('agent.watch', agentId);
  expect(heard).toEqual([]);
});

test('a role change that hides an agent affects an open socket within five seconds', async () => {
  const ada = product.as('ada');
  const person = await join(product, ada, 'watcher', { organizationId, role: 'editor' });
  const socket = open({ idToken: (await person.refresh()).idToken });
  await outcomeOf(socket);
  expect(await socket.timeout(5000).emitWithAck('agent.watch', agentId)).toBe(true);
  const events: unknown[] = [];
  socket.on('knowledge.progress.update.result', (event) => events.push(event));
  const told = new Promise((resolve) => socket.on('membership.updated', resolve));
  await ada.member.remove({ id: person.memberId });
  expect(await told).toEqual({ organizationId });
  events.length = 0;
  await ada.knowledge.create({
    id: agentId,
    organizationId,
    type: 'text',
    description: 'Later',
    text: 'Ten.',
  });
  expect(await socket.timeout(5000).emitWithAck('agent.watch', agentId)).toBe(false);
  expect(events).toEqual([]);
});

/** As a client opens it that is given only the address and its identity. */
async function openPlainly(name: string, transports?: string[]): Promise<Socket> {
  const socket = io(product.url, {
    extraHeaders: { 'id-token': await tokenOf(name) },
    ...(transports && { transports }),
    reconnection: false,
    forceNew: true,
  });
  opened.push(socket);
  return socket;
}

test('a client with default options polls first, then upgrades to a WebSocket', async () => {
  const socket = await openPlainly('ada');
  expect(await outcomeOf(socket)).toBe('connected');
  await expect.poll(() => socket.io.engine.transport.name).toBe('websocket');
  expect(await socket.timeout(5000).emitWithAck('agent.watch', agentId)).toBe(true);
  const eve = await openPlainly('eve', ['polling']);
  expect(await outcomeOf(eve)).toBe('connected');
  expect(await eve.timeout(5000).emitWithAck('agent.watch', agentId)).toBe(false);
});

test('polling needs a token in each request, and a connection id works for its owner only', async () => {
  const path = '/socket.io/?EIO=4&transport=polling';
  const ask = async (more: string, headers: Record<string, string>, init: RequestInit = {}) =>
    (await fetch(`${product.url}${path}${more}`, { headers, ...init })).status;
  const [ada, eve] = [await tokenOf('ada'), await tokenOf('eve')];
  for (const headers of [{}, { 'id-token': 'forged' }, { authorization: `Bearer ${ada}` }])
    expect(await ask('', headers as Record<string, string>)).toBe(400);
  const polled = io(product.url, { transports: ['polling'], auth: { idToken: ada }, reconnection: false });
  opened.push(polled);
  expect(await outcomeOf(polled)).not.toBe('connected');

  const began = open({ idToken: ada });
  const victims = [await openPlainly('ada', ['polling']), await openPlainly('ada'), began];
  for (const victim of victims) {
    expect(await outcomeOf(victim)).toBe('connected');
    const sid = victim.io.engine.id ?? '';
    for (const headers of [{}, { 'id-token': eve }] as Record<string, string>[]) {
      expect(await ask(`&sid=${sid}`, headers)).toBe(400);
      expect(await ask(`&sid=${sid}`, headers, { method: 'POST', body: '41' })).toBe(400);
      const stolen = { path: `/socket.io/?EIO=4&transport=websocket&sid=${sid}`, headers };
      expect((await openRawSocket(product.url, stolen)).status).toBe(400);
    }
    expect(await victim.timeout(5000).emitWithAck('agent.watch', agentId)).toBe(true);
  }
  // A connection that began as a WebSocket can't be continued by anybody.
  expect(await ask(`&sid=${began.io.engine.id}`, { 'id-token': ada })).toBe(400);
});

test('a reconnecting client reads over HTTP what it missed, as far as it still may', async () => {
  const bob = product.as('bob');
  const { id } = (await bob.chat.create({ chatbotId: agentId, kind: 'game' })).conversation;
  const { link } = await bob.chatLink.create({ id, kind: 'join', audience: 'anybody' });
  const carol = product.as('carol');
  await carol.room.join({ token: link.token });
  await bob.room.say({ id, text: 'one' });
  const socket = open({ idToken: await tokenOf('carol') });
  await outcomeOf(socket);
  socket.disconnect();
  await bob.room.say({ id, text: 'two' });
  await bob.room.say({ id, text: 'three' });
  const again = open({ idToken: await tokenOf('carol') });
  const heard: unknown[] = [];
  again.onAny((...event) => heard.push(event));
  await outcomeOf(again);
  // The socket replays nothing; the list from the last message on does.
  const first = await carol.room.listMessages({ id, count: 1 });
  const missed = await carol.room.listMessages({ id, count: 10, cursor: first.nextCursor ?? '' });
  expect([...first.messages, ...missed.messages].map(({ text }) => text)).toEqual(['one', 'two', 'three']);
  await carol.room.leave({ id });
  await bob.room.say({ id, text: 'of the time without right' });
  await expect(carol.room.listMessages({ id })).rejects.toMatchObject({ status: 404 });
  await again.timeout(5000).emitWithAck('agent.watch', agentId);
  expect(heard.filter((event) => JSON.stringify(event).includes('without right'))).toEqual([]);
});
