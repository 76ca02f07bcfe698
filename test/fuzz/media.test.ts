import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startProduct, type Product } from '../product.ts';

/** Corrupted files for the calls that take them: read, or rejected with a message, and nothing else is affected. */

const EACH = process.env['TORTURE'] ? 300 : 15;
/** Each document is read in its own process; `read/mutation.test.ts` reads many in one. */
const EACH_DOCUMENT = process.env['TORTURE'] ? 100 : 3;

let product: Product;
let idToken: string;
let uid: string;
let conversationId: string;
const unhandled: unknown[] = [];
const remember = (error: unknown) => void unhandled.push(error);

beforeAll(async () => {
  process.on('unhandledRejection', remember);
  process.on('uncaughtException', remember);
  product = await startProduct();
  const session = await product.sessionOf('ada');
  idToken = session.idToken;
  uid = session.user.uid;
  const ada = product.as('ada');
  const { organization } = await ada.organization.create({ name: 'Acme' });
  const { chatbot } = await ada.chatbot.create({ organizationId: organization.id, name: 'Helper' });
  conversationId = (await ada.chat.create({ chatbotId: chatbot.id })).conversation.id;
});
afterAll(async () => {
  process.off('unhandledRejection', remember);
  process.off('uncaughtException', remember);
  await product.close();
});

/** The same numbers in every run. */
function dice(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Some bytes changed; now and then the end is missing, or something is duplicated. */
function mutated(data: Buffer, roll: (below: number) => number): Buffer {
  const copy = Buffer.from(data);
  for (let change = 1 + roll(20); change > 0; change -= 1) copy[roll(copy.length)] = roll(256);
  const kind = roll(8);
  if (kind === 0) return copy.subarray(0, 1 + roll(copy.length));
  if (kind === 1) return Buffer.concat([copy, copy.subarray(roll(copy.length))]);
  return copy;
}

const picture = sharp({ create: { width: 64, height: 48, channels: 3, background: '#3366cc' } });

function wav(): Buffer {
  const samples = Buffer.alloc(8000, 0x40);
  const head = Buffer.alloc(44);
  head.write('RIFF', 0);
  head.writeUInt32LE(36 + samples.length, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(8000, 24);
  head.writeUInt32LE(8000, 28);
  head.writeUInt16LE(1, 32);
  head.writeUInt16LE(8, 34);
  head.write('data', 36);
  head.writeUInt32LE(samples.length, 40);
  return Buffer.concat([head, samples]);
}

const fixture = (name: string) => readFile(`test/fixtures/${name}`);
const text = (content: string) => Promise.resolve(Buffer.from(content.repeat(40)));

test.each<[name: string, read: () => Promise<Buffer>]>([
  ['a.png', () => picture.clone().png().toBuffer()],
  ['a.jpg', () => picture.clone().jpeg().toBuffer()],
  ['a.webp', () => picture.clone().webp().toBuffer()],
  ['a.gif', () => picture.clone().gif().toBuffer()],
  ['a.avif', () => picture.clone().avif().toBuffer()],
  ['a.wav', () => Promise.resolve(wav())],
  ['a.csv', () => text('name;price\n"Lamp; small";"4,90"\n')],
  ['a.md', () => text('# Title\n\n| a | b |\n|---|---|\n| **x** | [y](https://example.com) |\n')],
  ['a.html', () => fixture('zlib_how.html')],
  ['a.pdf', () => fixture('guide.pdf')],
  ['a.docx', () => fixture('guide.docx')],
  ['a.xlsx', () => fixture('fleet.xlsx')],
])('mutations of %s', { timeout: 3_600_000 }, async (name, read) => {
  const whole = await read();
  const roll = dice(whole.length);
  const counts = new Map<number, number>();
  const count = /html|pdf|docx|xlsx/.test(name) ? EACH_DOCUMENT : EACH;
  const isPicture = /png|jpg|webp|gif|avif/.test(name);
  for (let index = 0; index < count; index += 1) {
    const path =
      isPicture && index % 2 === 0
        ? `/v1/user/${uid}/profile/media`
        : `/v1/chat/${conversationId}/attachment`;
    const form = new FormData();
    form.set('media', new File([new Uint8Array(mutated(whole, roll))], name));
    const response = await fetch(product.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${idToken}`, 'x-forwarded-for': `10.5.${roll(256)}.${roll(256)}` },
      body: form,
    });
    const answer = (await response.json()) as { code?: string };
    expect([name, index, response.status < 500, answer.code ?? '']).toEqual([
      name,
      index,
      true,
      answer.code ?? '',
    ]);
    counts.set(response.status, (counts.get(response.status) ?? 0) + 1);
  }
  // They reached the code that reads files, not just a lookup that finds nothing.
  expect(counts.get(404) ?? 0).toBe(0);
  expect(counts.get(429) ?? 0).toBeLessThan(count);
  expect(unhandled).toEqual([]);
  expect((await fetch(`${product.url}/healthz`)).status).toBe(200);
});
