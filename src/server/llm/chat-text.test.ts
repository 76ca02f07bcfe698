import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { LanguageModelV4, LanguageModelV4StreamPart } from '@ai-sdk/provider';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createModelFetch, type ModelFetch } from '../egress/model-fetch.ts';
import { withTextReadHere } from './chat-text.ts';
import { providerModels } from './provider-model.ts';

/** Our reader yields the same result for an answer as the library. */

let server: Server;
let pieces: Buffer[] = [];
/** The server neither ends its answers nor closes the connection. */
let isHanging = false;
let fetch: ModelFetch;
let ours: LanguageModelV4;
let theirs: LanguageModelV4;
let compatible: LanguageModelV4;

beforeAll(async () => {
  server = createServer((request, response) => {
    request.resume().once('end', () => {
      response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
      void (async () => {
        for (const piece of pieces) {
          response.write(piece);
          await new Promise((resolve) => setImmediate(resolve));
        }
        if (!isHanging) response.end();
      })();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  fetch = createModelFetch({ allowedHosts: [] });
  const account = { provider: 'openai' as const, apiKey: 'sk-test', baseUrl };
  ours = providerModels(account, fetch.byOperator)('stand-in');
  const settings = { name: 'compatible', apiKey: 'sk-test', baseURL: baseUrl, fetch: fetch.byOperator };
  compatible = createOpenAICompatible(settings)('stand-in');
  theirs = createOpenAI({ apiKey: 'sk-test', baseURL: baseUrl, fetch: fetch.byOperator }).chat('stand-in');
});
afterAll(async () => {
  await fetch.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const prompt = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Well?' }] }];

async function partsOf(model: LanguageModelV4): Promise<LanguageModelV4StreamPart[]> {
  const { stream } = await model.doStream({ prompt });
  const parts: LanguageModelV4StreamPart[] = [];
  for await (const part of stream) parts.push(part);
  return parts;
}

/** What `ask` makes of an answer. */
async function heard(model: LanguageModelV4) {
  const parts = await partsOf(model);
  const isBroken = parts.some(({ type }) => type === 'error');
  const end = parts.find((part) => part.type === 'finish');
  const { raw: _, ...usage } = end?.usage ?? { raw: undefined };
  return {
    text: parts.map((part) => (part.type === 'text-delta' ? part.delta : '')).join(''),
    isBroken,
    // After an error the finish part is ignored.
    ...(isBroken ? {} : { finishReason: end?.finishReason, usage }),
  };
}

const event = (value: object) => `data: ${JSON.stringify(value)}\n\n`;
const said = (delta: object, rest: object = {}) =>
  event({
    id: 'x',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices: [{ index: 0, delta, ...rest }],
  });
const ended = (reason: string) => said({}, { finish_reason: reason });
const usage = (of: object) => event({ id: 'x', created: 1, model: 'm', choices: [], usage: of });
const DONE = 'data: [DONE]\n\n';

test.each([
  [
    'plain words',
    [
      said({ role: 'assistant', content: '' }),
      said({ content: 'Hel' }),
      said({ content: 'lo.' }),
      ended('stop'),
      DONE,
    ],
  ],
  [
    'what it used',
    [said({ content: 'Hi' }), ended('stop'), usage({ prompt_tokens: 12, completion_tokens: 5 }), DONE],
  ],
  [
    'what it knew before and thought',
    [
      said({ content: 'Hi' }),
      ended('stop'),
      usage({
        prompt_tokens: 100,
        completion_tokens: 50,
        total_tokens: 150,
        prompt_tokens_details: { cached_tokens: 60 },
        completion_tokens_details: { reasoning_tokens: 20 },
      }),
      DONE,
    ],
  ],
  ['a refusal', [said({ refusal: 'I may ' }), said({ refusal: 'not.' }), ended('stop'), DONE]],
  ['an answer that is too long', [said({ content: 'Much' }), ended('length'), DONE]],
  ['a filter', [said({ content: 'So' }), ended('content_filter'), DONE]],
  ['a reason that nobody knows', [said({ content: 'So' }), ended('eos'), DONE]],
  ['no reason', [said({ content: 'So' }), DONE]],
  ['no [DONE]', [said({ content: 'So' }), ended('stop')]],
  [
    'comments and other fields',
    [': wait\n\n', 'event: message\nid: 7\n' + said({ content: 'So' }), 'retry: 10\n\n', ended('stop'), DONE],
  ],
  [
    'lines that end as on Windows',
    [said({ content: 'So' }), ended('stop'), DONE].map((text) => text.replaceAll('\n', '\r\n')),
  ],
  [
    'an error that is none',
    [event({ ...JSON.parse(said({ content: 'So' }).slice(6)), error: null }), ended('stop'), DONE],
  ],
  [
    'an error',
    [said({ content: 'So' }), event({ error: { message: 'No.', type: 'server_error', code: null } }), DONE],
  ],
  ['something else', [said({ content: 'So' }), event({ hello: 1 }), DONE]],
  ['a number for words', [said({ content: 7 }), DONE]],
  ['broken JSON', [said({ content: 'So' }), 'data: {"choices":[\n\n', DONE]],
])('%s: it is read as the library reads it', async (_what, events) => {
  pieces = events.map((text) => Buffer.from(text));
  expect(await heard(ours)).toEqual(await heard(theirs));
});

test.each([
  ['words in parts', [said({ content: [{ type: 'text', text: 'Hel' }] }), said({ content: 'lo.' })]],
  [
    'thoughts before words',
    [
      said({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] }] }),
      said({
        content: [
          { type: 'thinking', thinking: 'Hm.' },
          { type: 'text', text: 'Hello.' },
        ],
      }),
    ],
  ],
  [
    'parts that nobody knows',
    [said({ content: [{ type: 'reference', reference_ids: [1] }, { type: 'text' }] })],
  ],
  ['no parts', [said({ content: [] })]],
  ['parts that are none', [said({ content: ['Hello.'] })]],
  ['a refusal that is no text', [said({ content: 'Hello.', refusal: { code: 1 } })]],
])('%s: it is read as the library of compatible servers reads it', async (_what, events) => {
  pieces = [...events, ended('stop'), DONE].map((text) => Buffer.from(text));
  expect((await heard(ours)).text).toBe((await heard(compatible)).text);
});

test('an answer is the same however its bytes are split, and data received together is one part', async () => {
  const words = ['Größe ', 'und 漢字 ', '🙂', ' "quoted" ', '\n\ndata: no event'];
  const bytes = Buffer.from([...words.map((content) => said({ content })), ended('stop'), DONE].join(''));
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat({ max: bytes.length }), { maxLength: 12 }), async (cuts) => {
      const places = [0, ...cuts.toSorted((a, b) => a - b), bytes.length];
      pieces = places.slice(1).map((end, index) => bytes.subarray(places[index], end));
      expect(await heard(ours)).toMatchObject({ text: words.join(''), isBroken: false });
    }),
    { numRuns: 60 },
  );
  pieces = [bytes];
  const parts = await partsOf(ours);
  expect(parts.map(({ type }) => type)).toEqual(['text-delta', 'finish']);
});

test('an answer whose server has named the finish reason ends, even if the connection does not', async () => {
  isHanging = true;
  pieces = [
    said({ content: 'Hello.' }),
    ended('stop'),
    usage({ prompt_tokens: 3, completion_tokens: 2 }),
  ].map((text) => Buffer.from(text));
  expect(await heard(ours)).toMatchObject({
    text: 'Hello.',
    finishReason: { unified: 'stop', raw: 'stop' },
    usage: { inputTokens: { total: 3 } },
  });
  isHanging = false;
});

test('the first words are passed on before anything that came with them is read', async () => {
  const events = [said({ content: 'First' }), said({ content: ' second' }) + ended('stop') + DONE];
  let given = 0;
  const body = new ReadableStream<Uint8Array>(
    { pull: (controller) => controller.enqueue(Buffer.from(events[given++] ?? '')) },
    { highWaterMark: 0 },
  );
  const model = withTextReadHere(
    (send) => (id) => createOpenAI({ apiKey: 'sk-test', fetch: send }).chat(id),
    async () => new Response(body, { headers: { 'content-type': 'text/event-stream' } }),
  )('stand-in');
  const reader = (await model.doStream({ prompt })).stream.getReader();
  expect((await reader.read()).value).toMatchObject({ delta: 'First' });
  const next = reader.read();
  // Whoever waits for the first words is told of them in the same round of the event loop.
  await new Promise((resolve) => process.nextTick(resolve));
  expect(given).toBe(1);
  expect((await next).value).toMatchObject({ delta: ' second' });
});
