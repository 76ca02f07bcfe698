import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Socket } from 'socket.io-client';
import { SOCKET_FRAMES_MAX, SOCKETS_PER_ADDRESS_MAX, SOCKETS_PER_USER_MAX } from '../../contract/limits.ts';
import { startProduct, type Product } from '../../../test/product.ts';
import { openRawSocket, type RawSocket } from '../../../test/raw-socket.ts';
import { openSocket, outcomeOf } from '../../../test/sockets.ts';

/** Frames that none of our clients send: at most they end their own socket. */

/** Enough for every run; `npm run test:torture -- sockets` finds more with more. */
const FRAMES = process.env['TORTURE'] ? 200_000 : 3000;

let product: Product;
let wellBehaved: Socket;
let token: string;
const unhandled: unknown[] = [];
const remember = (error: unknown) => void unhandled.push(error);

beforeAll(async () => {
  process.on('unhandledRejection', remember);
  process.on('uncaughtException', remember);
  product = await startProduct();
  token = (await product.sessionOf('eve')).idToken;
  wellBehaved = openSocket(product, { idToken: (await product.sessionOf('ada')).idToken });
  expect(await outcomeOf(wellBehaved)).toBe('connected');
});
afterAll(async () => {
  wellBehaved.disconnect();
  process.off('unhandledRejection', remember);
  process.off('uncaughtException', remember);
  await product.close();
});
afterEach(async () => {
  expect(await wellBehaved.timeout(5000).emitWithAck('agent.watch', 'x')).toBe(false);
  expect(unhandled).toEqual([]);
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
});

async function signedIn(headers: Record<string, string> = {}): Promise<RawSocket> {
  const socket = await openRawSocket(product.url, { headers });
  socket.send(`40${JSON.stringify({ idToken: token })}`);
  const isIn = () => socket.received.some((text) => text.startsWith('40{'));
  await expect.poll(isIn).toBe(true);
  return socket;
}

const untilClosed = (socket: RawSocket) => expect.poll(socket.isOpen, { timeout: 10_000 }).toBe(false);
const BINARY = 2;

test.concurrent.each<[string, (socket: RawSocket) => void]>([
  ['a message of 1 MB', (socket) => socket.send(`42["agent.watch","${'x'.repeat(1024 * 1024)}"]`)],
  ['1 MB of bytes', (socket) => socket.send(Buffer.alloc(1024 * 1024), BINARY)],
  [
    'a frame that says it is 2^62 bytes long',
    (socket) => socket.write(Buffer.from('81ff400000000000000000000000', 'hex')),
  ],
  ['a frame without a mask', (socket) => socket.write(Buffer.from([0x81, 1, 50]))],
  ['broken UTF-8', (socket) => socket.send(Buffer.from([0x34, 0x32, 0xc3, 0x28, 0xff]))],
  ['an unknown opcode', (socket) => socket.send('x', 11)],
  ['an unknown packet', (socket) => socket.send('9')],
  ['a packet of nothing', (socket) => socket.send('4')],
  ['an event that is an object', (socket) => socket.send('42[{"a":1}]')],
  ['an event that is an array', (socket) => socket.send('42[["agent.watch"],"x"]')],
  ['an event that is null', (socket) => socket.send('42[null]')],
  ['an event without a list', (socket) => socket.send('42{"length":1}')],
  ['an event of ours', (socket) => socket.send('42["disconnecting","x"]')],
  ['JSON that does not end', (socket) => socket.send('42["agent.watch"')],
  ['JSON nested 5,000 deep', (socket) => socket.send(`42${'['.repeat(5000)}`)],
  ['a hundred binary attachments', (socket) => socket.send('45100-["agent.watch"]')],
  [
    'a text in place of an attachment',
    (socket) => {
      socket.send('451-["agent.watch",{"_placeholder":true,"num":0}]');
      socket.send('42["agent.watch","x"]');
    },
  ],
  ['an attachment that was not promised', (socket) => socket.send(Buffer.from('x'), BINARY)],
  [
    'a placeholder of attachment -1',
    (socket) => {
      socket.send('451-["agent.watch",{"_placeholder":true,"num":-1}]');
      socket.send(Buffer.from('x'), BINARY);
    },
  ],
  ['a watch without a reply', (socket) => socket.send('42["agent.watch","x"]')],
  ['a watch of an object', (socket) => socket.send('427["agent.watch",{"toString":"x"}]')],
])('%s closes that socket and no other', async (_what, send) => {
  const socket = await signedIn();
  send(socket);
  await untilClosed(socket);
});

test('odd names and numbers have no effect', async () => {
  const socket = await signedIn();
  for (const name of [
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'hasOwnProperty',
    '',
    'emit',
    'on',
    '*',
  ])
    socket.send(
      `42["${name}",{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}]`,
    );
  socket.send('4299999999999999999999999["agent.watch","x"]');
  socket.send('4318446744073709551616[true]');
  socket.send('42[1,2]');
  for (const agentId of ['../x', '%', '\\u0000', '\\ud800', 'x'.repeat(10_000), "' or 1=1--"])
    socket.send(`421["agent.watch","${agentId}"]`);
  await expect.poll(() => socket.received.filter((text) => text === '431[false]').length).toBe(6);
  expect(socket.received.filter((text) => /^43\d+\[true\]/.test(text))).toEqual([]);
  socket.close();
});

test('other protocols, paths and namespaces are rejected', async () => {
  const hello = `40${JSON.stringify({ idToken: token })}`;
  for (const query of [
    '?EIO=99&transport=websocket',
    '?EIO=3&transport=websocket',
    '?EIO=4&transport=webtransport',
    '',
  ]) {
    const socket = await openRawSocket(product.url, { path: `/socket.io/${query}` });
    socket.send(hello);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect([query, socket.received.filter((text) => text.startsWith('40'))]).toEqual([query, []]);
    socket.close();
  }
  expect((await openRawSocket(product.url, { path: '/other?EIO=4&transport=websocket' })).status).not.toBe(
    101,
  );
  const socket = await signedIn();
  for (let index = 0; index < 100; index += 1) socket.send(`40/space-${index},{"idToken":"${token}"}`);
  await expect
    .poll(() => socket.received.filter((text) => text.includes('Invalid namespace')).length)
    .toBe(100);
  socket.close();
});

test.each(['42["nothing"]', '421["agent.watch","x"]', '3', '41/x,', '40/x,'])(
  'a flood of %s is cut off',
  async (frame) => {
    const socket = await signedIn();
    for (let sent = 0; sent < SOCKET_FRAMES_MAX + 10; sent += 1) socket.send(frame);
    await untilClosed(socket);
  },
);

/** Generates the same numbers in each run. */
function createDice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

const wellFormed = [
  '0',
  '1',
  '2',
  '3',
  '40',
  '40{}',
  '41',
  '42["agent.watch","x"]',
  '421["agent.watch","agt_1"]',
  '431[true]',
  '44{"message":"x"}',
  '451-["agent.watch",{"_placeholder":true,"num":0}]',
  '46/x,1-[1]',
  '5',
  '6',
  '40/admin,{"idToken":"x"}',
];

/** A mutation of a valid frame. */
function mutate(roll: (sides: number) => number): { payload: Buffer; opcode: number } {
  let payload = Buffer.from(wellFormed[roll(wellFormed.length)] ?? '');
  for (let changes = roll(6); changes > 0; changes -= 1) {
    const at = roll(payload.length + 1);
    const piece = Buffer.from([roll(256), roll(256)].slice(roll(3)));
    payload = Buffer.concat([payload.subarray(0, at), piece, payload.subarray(at + roll(3))]);
  }
  return { payload, opcode: roll(8) === 0 ? roll(16) : 1 };
}

test(`${FRAMES} mutated frames do no harm`, { timeout: 40 * FRAMES }, async () => {
  const roll = createDice(20_260);
  for (let sent = 0; sent < FRAMES;) {
    const socket = await openRawSocket(product.url, {
      headers: { 'x-forwarded-for': `10.77.0.${roll(256)}` },
    });
    if (roll(2) === 0) socket.send(`40${JSON.stringify({ idToken: token })}`);
    for (let frames = roll(40) + 1; frames > 0 && socket.isOpen(); frames -= 1) {
      const { payload, opcode } = mutate(roll);
      socket.send(payload, opcode);
      sent += 1;
    }
    await new Promise((resolve) => setTimeout(resolve, 2));
    socket.close();
  }
  expect(wellBehaved.connected).toBe(true);
});

test('one person can open only a limited number of sockets, and everybody else gets theirs', async () => {
  const { idToken } = await product.sessionOf('greedy');
  const sockets = Array.from({ length: SOCKETS_PER_USER_MAX + 10 }, () => openSocket(product, { idToken }));
  const outcomes = await Promise.all(sockets.map(outcomeOf));
  expect(outcomes.filter((outcome) => outcome === 'connected')).toHaveLength(SOCKETS_PER_USER_MAX);
  expect(new Set(outcomes)).toEqual(new Set(['connected', 'request/rate-limited']));
  const other = openSocket(product, { idToken: (await product.sessionOf('bob')).idToken });
  expect(await outcomeOf(other)).toBe('connected');
  for (const socket of [...sockets, other]) socket.disconnect();
  // Released slots can be taken again.
  await expect
    .poll(async () => {
      const again = openSocket(product, { idToken });
      const outcome = await outcomeOf(again);
      again.disconnect();
      return outcome;
    })
    .toBe('connected');
});

test('unidentified sockets from one address are limited and closed, and keep nobody else out', async () => {
  const headers = { 'x-forwarded-for': '203.0.113.5' };
  const crowd: RawSocket[] = [];
  for (let count = 0; count < SOCKETS_PER_ADDRESS_MAX + 100; count += 100)
    crowd.push(
      ...(await Promise.all(Array.from({ length: 100 }, () => openRawSocket(product.url, { headers })))),
    );
  await expect
    .poll(() => crowd.filter((socket) => socket.isOpen()).length)
    .toBeLessThanOrEqual(SOCKETS_PER_ADDRESS_MAX);
  const next = await openRawSocket(product.url, { headers: { 'x-forwarded-for': '1.2.3.4, 203.0.113.5' } });
  await untilClosed(next);
  (await signedIn({ 'x-forwarded-for': '203.0.113.6' })).close();
  await expect.poll(() => crowd.filter((socket) => socket.isOpen()).length).toBe(0);
});
