import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ProviderName } from '../config/models.ts';
import { openLoopbackSite, type LoopbackSite } from '../egress/loopback-site.testing.ts';
import { createModelFetch, type ModelFetch } from '../egress/model-fetch.ts';
import { ask } from './ask.ts';
import { providerModels } from './provider-model.ts';

/** What providers send before there is any text. */

const SILENCE_MS = 1000;
const WORDLESS_MS = 3000;
const BETWEEN_SIGNS_MS = 100;
const signs = {
  openai: ': OPENROUTER PROCESSING\n\n',
  compatible: ': keep-alive\n\n',
  anthropic: 'event: ping\ndata: {"type":"ping"}\n\n',
  google: ': keep-alive\n\n',
};

let site: LoopbackSite;
let fetch: ModelFetch;
let answer: (response: ServerResponse) => Promise<void>;

beforeAll(async () => {
  site = await openLoopbackSite((request, response) => {
    request.resume().once('end', () => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
      void answer(response);
    });
  });
  fetch = createModelFetch({ allowedHosts: [`127.0.0.1:${site.port}`] });
});
afterAll(async () => {
  await fetch.close();
  await site.close();
});

async function asked(provider: ProviderName, { withTools = false, by = fetch.byOperator } = {}) {
  const account = { provider, apiKey: 'x', baseUrl: `http://127.0.0.1:${site.port}/v1` };
  const started = performance.now();
  let text = '';
  const { failure } = await ask(providerModels(account, by)('stand-in'), {
    prompt: [{ role: 'user', content: [{ type: 'text', text: 'Well?' }] }],
    tools: withTools ? [{ type: 'function', name: 'look', inputSchema: { type: 'object' } }] : [],
    silenceMs: SILENCE_MS,
    wordlessMs: WORDLESS_MS,
    signal: new AbortController().signal,
    onText: (delta) => (text += delta),
  });
  return { text, failure: failure?.message, ms: performance.now() - started };
}

const event = (value: object) => `data: ${JSON.stringify(value)}\n\n`;
const chat = (choice: object) =>
  event({ id: 'x', created: 1, model: 'm', choices: [{ index: 0, ...choice }] });
const words = {
  openai: `${chat({ delta: { content: 'At last.' } })}${chat({ delta: {}, finish_reason: 'stop' })}data: [DONE]\n\n`,
  get compatible() {
    return this.openai;
  },
  anthropic: [
    { type: 'message_start', message: { id: 'x', model: 'm', usage: { input_tokens: 1, output_tokens: 1 } } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'At last.' } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 3 } },
    { type: 'message_stop' },
  ]
    .map((value) => `event: ${value.type}\n${event(value)}`)
    .join(''),
  google: event({
    candidates: [{ content: { parts: [{ text: 'At last.' }], role: 'model' }, finishReason: 'STOP' }],
  }),
};

async function wait(response: ServerResponse, sign: string, times: number): Promise<void> {
  for (let index = 0; index < times && !response.destroyed; index += 1) {
    await sleep(BETWEEN_SIGNS_MS);
    response.write(sign);
  }
}

test.each(['openai', 'compatible', 'anthropic', 'google'] as const)(
  '%s: a provider that signals activity is awaited beyond the allowed silence',
  async (provider) => {
    answer = async (response) => {
      await wait(response, signs[provider], (1.5 * SILENCE_MS) / BETWEEN_SIGNS_MS);
      response.end(words[provider]);
    };
    const ways = [{}, { withTools: true }, { by: fetch.byPerson }];
    const answers = await Promise.all(ways.map((way) => asked(provider, way)));
    for (const { text, failure } of answers) expect([text, failure]).toEqual(['At last.', undefined]);
  },
);

test.each(['compatible', 'anthropic'] as const)(
  '%s: a provider that only signals activity is eventually abandoned',
  async (provider) => {
    answer = (response) => wait(response, signs[provider], Number.POSITIVE_INFINITY);
    const { text, failure, ms } = await asked(provider);
    expect([text, failure]).toEqual(['', 'The provider worked too long without an answer.']);
    expect(ms).toBeGreaterThan(WORDLESS_MS - 50);
  },
);

const emptyPieces = {
  compatible: [
    chat({ delta: { role: 'assistant', content: '' } }),
    chat({ delta: { content: null, reasoning_content: '', tool_calls: [] } }),
    chat({ delta: {} }),
    event({ id: 'x', created: 1, model: 'm', choices: [] }),
  ],
  openai: [chat({ delta: { role: 'assistant', content: '' } })],
  anthropic: ['', 'thinking_'].map((kind) => {
    const delta = kind ? { type: 'thinking_delta', thinking: '' } : { type: 'text_delta', text: '' };
    return `event: content_block_delta\n${event({ type: 'content_block_delta', index: 0, delta })}`;
  }),
};
const begunBlocks = [
  { type: 'message_start', message: { id: 'x', model: 'm', usage: { input_tokens: 1, output_tokens: 1 } } },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
]
  .map((value) => `event: ${value.type}\n${event(value)}`)
  .join('');

test.each(['openai', 'compatible', 'anthropic'] as const)(
  '%s: empty pieces count as signs of life',
  async (provider) => {
    answer = async (response) => {
      if (provider === 'anthropic') response.write(begunBlocks);
      await wait(response, emptyPieces[provider].join(''), Number.POSITIVE_INFINITY);
    };
    const answers = await Promise.all([{}, { withTools: true }].map((way) => asked(provider, way)));
    for (const { failure } of answers)
      expect(failure).toBe('The provider worked too long without an answer.');
  },
);

test('a thinking model is awaited as long as thoughts arrive', async () => {
  answer = async (response) => {
    await wait(
      response,
      chat({ delta: { reasoning_content: 'Hm.' } }),
      (1.3 * WORDLESS_MS) / BETWEEN_SIGNS_MS,
    );
    response.end(words.compatible);
  };
  const answers = await Promise.all([{}, { withTools: true }].map((way) => asked('compatible', way)));
  for (const { text, failure } of answers) expect([text, failure]).toEqual(['At last.', undefined]);
});

test('a sign of life extends the wait by the allowed silence at most', async () => {
  answer = (response) => wait(response, signs.compatible, 3);
  const { failure, ms } = await asked('compatible');
  expect(failure).toBe('The model was silent for too long.');
  expect(ms).toBeLessThan(WORDLESS_MS);
});
