import type { ModelMessage } from 'ai';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  startFaultyProvider,
  type Fault,
  type FaultyProvider,
} from '../../../../test/stand-ins/faulty-provider.ts';
import { createModelFetch, type ModelFetch } from '../../egress/model-fetch.ts';
import { createModels } from '../../llm/models.ts';
import { generate } from './generate.ts';
import { nothingTraced } from '../../observe/traces.ts';

let provider: FaultyProvider;
let fetch: ModelFetch;

beforeAll(async () => {
  provider = await startFaultyProvider();
  fetch = createModelFetch({ allowedHosts: [] });
});
afterAll(async () => {
  await fetch.close();
  await provider.close();
});

const settings = { model: null, temperature: 0.3, maxTokens: 100, fallbacks: [], timeoutSeconds: 60 };
const question: ModelMessage[] = [{ role: 'user', content: 'canary question' }];

async function run(
  messages: ModelMessage[] = question,
  signal = new AbortController().signal,
  onDelta: () => void = () => undefined,
) {
  const openai = { apiKey: 'sk-canary-1234567890', baseUrl: provider.baseUrl, model: 'stand-in' };
  const models = createModels({
    config: {
      providers: { openai },
      modelPrices: {},
      defaultModel: undefined,
      providerFailuresMax: 5,
      providerRestSeconds: 30,
      providerSilenceMaxSeconds: 0.3,
    },
    readAlike: (subject) => ({ subject, asked: subject.split(' '), termsOf: (text) => text.split(' ') }),
    fetch,
    ownAccounts: async () => [],
  });
  const errors: unknown[] = [];
  const generated = await generate({
    model: await models.chain('org_1', settings),
    settings,
    system: 'canary instructions',
    messages,
    signal,
    begun: Promise.resolve(),
    onDelta,
    onPart: () => undefined,
    span: nothingTraced.span,
    onError: (error) => errors.push(error),
  });
  return { generated, errors };
}

test.each([
  'a 401',
  'a 500',
  'nothing, not even headers',
  'an end before the first token',
  'broken events',
  'an error as an event with a 200',
  'an error as an event after a token',
] satisfies Fault[])('%s: the log holds no key, no prompt and nothing of the answer', async (fault) => {
  provider.fault = fault;
  const { errors } = await run();
  expect(errors).toHaveLength(1);
  const [error] = errors as Error[];
  const logged = JSON.stringify([error, error?.message, error?.stack, error?.cause]);
  expect(logged).not.toMatch(/canary|Half/);
});

test('a stopped answer returns at once, whatever the provider does, and reports no failure', async () => {
  provider.fault = 'nothing after half of it';
  const abort = new AbortController();
  let stopped = Number.NaN;
  const stop = (): void => {
    stopped = performance.now();
    abort.abort('stopped');
  };
  const { generated, errors } = await run(question, abort.signal, () => setTimeout(stop, 20));
  expect(performance.now() - stopped).toBeLessThan(250);
  expect(generated).toMatchObject({ text: 'Half of ', failedModels: [] });
  expect(errors).toEqual([]);
});

const picture: ModelMessage[] = [
  {
    role: 'user',
    content: [
      { type: 'text', text: 'What is this?' },
      { type: 'image', image: Buffer.from('89504e47', 'hex'), mediaType: 'image/png' },
    ],
  },
];

test('an image is sent with its bytes', async () => {
  provider.fault = 'none';
  await run(picture);
  const { messages } = JSON.parse(provider.received.at(-1)?.body ?? '{}') as {
    messages: { content: unknown }[];
  };
  expect(messages.at(-1)?.content).toEqual([
    { type: 'text', text: 'What is this?' },
    { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw==' } },
  ]);
});

test('a model that rejects images is asked without them', async () => {
  provider.fault = 'a 400 for pictures';
  const { generated } = await run(picture);
  expect(generated).toMatchObject({ failed: false, text: 'All is well.', failedModels: [] });
  expect(provider.received.at(-1)?.body).not.toContain('image_url');
  expect(provider.received.at(-1)?.body).toContain('A file that you cannot read');
});

test('a model whose provider does not know a file type is asked without the file', async () => {
  provider.fault = 'none';
  const odd: ModelMessage[] = [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Read this.' },
        { type: 'file', data: Buffer.from('x'), mediaType: 'application/x-odd' },
      ],
    },
  ];
  const { generated } = await run(odd);
  expect(generated).toMatchObject({ failed: false, text: 'All is well.' });
});
