import OpenAI from 'openai';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Citation } from '../../../contract/chat.ts';
import { plans } from '../../../contract/plans.ts';
import { startProduct, type Product, type TestClient } from '../../../../test/product.ts';
import { startProvider, type Provider } from '../../../../test/stand-ins/provider.ts';
import { makeTaughtAgent } from '../../../../test/taught-agent.ts';
import { bearing, visit } from '../../../../test/visit.ts';

let provider: Provider;
let product: Product;
let owner: TestClient;
let organizationId: string;
beforeAll(async () => {
  provider = await startProvider({ pieces: ['Until ', 'nine ', '[1].'] });
  product = await startProduct({ providers: { openai: provider.openai } });
  owner = product.as('owner');
  organizationId = (await owner.organization.create({ name: 'Acme' })).organization.id;
});
afterAll(async () => {
  await product.close();
  await provider.close();
});

async function makeAgent(text?: string) {
  const { id, apiKey } = await makeTaughtAgent(owner, organizationId, text);
  return { id, apiKey, client: clientOf(id, apiKey) };
}

function clientOf(id: string, apiKey: string, headers: Record<string, string> = {}): OpenAI {
  const baseURL = `${product.url}/v1/agents/${id}`;
  return new OpenAI({ baseURL, apiKey, maxRetries: 0, defaultHeaders: headers });
}

type Message = OpenAI.ChatCompletionMessageParam;
const hours: Message[] = [{ role: 'user', content: 'When does the shop close?' }];

type Completed = OpenAI.ChatCompletion & { citations: Citation[]; conversation_id: string };

async function completed(client: OpenAI, messages: Message[], more: object = {}): Promise<Completed> {
  return (await client.chat.completions.create({ model: 'any', messages, ...more })) as Completed;
}

const read = (agent: { apiKey: string }, id: string, endUser = '') =>
  bearing(product, agent.apiKey, endUser ? { 'end-user': endUser } : {}).chat.listMessages({ id });

test('the OpenAI client gets an answer with citations, made like any other message', async () => {
  const agent = await makeAgent('The shop closes at nine in the evening.');
  const answer = await completed(agent.client, hours, { temperature: 0, max_tokens: 5, seed: 7 });
  expect(answer).toMatchObject({ object: 'chat.completion', model: agent.id });
  expect(answer.choices).toMatchObject([
    { index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'Until nine [1].' } },
  ]);
  expect(answer.citations).toMatchObject([{ number: 1, text: 'The shop closes at nine in the evening.' }]);
  expect(answer.usage?.total_tokens).toBe(
    (answer.usage?.prompt_tokens ?? 0) + (answer.usage?.completion_tokens ?? 0),
  );
  const { messages } = await read(agent, answer.conversation_id);
  expect(messages.map(({ text }) => text)).toEqual(['When does the shop close?', 'Until nine [1].']);
  const receipt = await owner.answer.receipt({
    id: answer.conversation_id,
    messageId: messages[1]?.id ?? '',
  });
  expect(receipt).toMatchObject({ receipt: { credits: 1 } });
});

test('a stream has the shape of OpenAI’s, with usage when requested', async () => {
  const agent = await makeAgent('The shop closes at nine in the evening.');
  const stream = await agent.client.chat.completions.create({
    model: 'any',
    messages: hours,
    stream: true,
    stream_options: { include_usage: true },
  });
  const chunks = await Array.fromAsync(stream);
  const deltas = chunks.flatMap(({ choices }) => choices.map(({ delta }) => delta));
  expect(deltas[0]).toEqual({ role: 'assistant', content: '' });
  expect(deltas.map(({ content }) => content ?? '').join('')).toBe('Until nine [1].');
  expect(chunks.at(-2)).toMatchObject({ choices: [{ finish_reason: 'stop' }], citations: [{ number: 1 }] });
  expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { total_tokens: expect.any(Number) as number } });
  expect(new Set(chunks.map(({ id, object }) => `${id} ${object}`)).size).toBe(1);
});

test('a stream ends with the answer and omits usage unless requested', async () => {
  const { id, apiKey } = await makeAgent();
  const response = await fetch(`${product.url}/v1/agents/${id}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'any', messages: hours, stream: true }),
  });
  expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
  expect(response.headers.has('x-vercel-ai-ui-message-stream')).toBe(false);
  const events = (await response.text()).split('\n\n').filter(Boolean);
  expect(events.at(-1)).toBe('data: [DONE]');
  expect(events.join()).not.toContain('usage');
  expect(events.at(-2)).toContain('"finish_reason":"stop"');
});

test('a client that resends the full history continues one conversation', async () => {
  const agent = await makeAgent();
  const first = await completed(agent.client, hours);
  const told: Message[] = [
    { role: 'system', content: 'You are a pirate.' },
    ...hours,
    { role: 'assistant', content: first.choices[0]?.message.content ?? '' },
    { role: 'user', content: [{ type: 'text', text: 'And on Sundays?' }] },
  ];
  const second = await completed(agent.client, told);
  expect(second.conversation_id).toBe(first.conversation_id);
  const { messages } = await read(agent, first.conversation_id);
  expect(messages.map(({ text }) => text)).toEqual([
    'When does the shop close?',
    'Until nine [1].',
    'And on Sundays?',
    'Until nine [1].',
  ]);
  const sent = provider.requests.at(-1)?.messages ?? [];
  expect(sent.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user']);
  // The agent's instructions are its own.
  expect(JSON.stringify(sent)).not.toContain('pirate');
});

test('a history from elsewhere starts a new conversation, in which members read what the agent was shown', async () => {
  const agent = await makeAgent();
  const first = await completed(agent.client, hours);
  const told: Message[] = [
    ...hours,
    { role: 'assistant', content: 'At ten, said another agent.' },
    { role: 'user', content: 'Really?' },
  ];
  const [second, third] = await Promise.all([completed(agent.client, told), completed(agent.client, told)]);
  expect(new Set([first, second, third].map((each) => each.conversation_id)).size).toBe(3);
  const { messages } = await read(agent, second.conversation_id);
  expect(messages.map(({ role, text }) => [role, text])).toEqual([
    ['user', 'When does the shop close?'],
    ['assistant', 'At ten, said another agent.'],
    ['user', 'Really?'],
    ['assistant', 'Until nine [1].'],
  ]);
  expect(messages.map(({ parentId }) => parentId)).toEqual([
    null,
    ...messages.slice(0, 3).map(({ id }) => id),
  ]);
});

test('concurrent continuations of the same history get separate conversations', async () => {
  const agent = await makeAgent();
  const first = await completed(agent.client, hours);
  const said: Message[] = [...hours, { role: 'assistant', content: 'Until nine [1].' }];
  const asked = ['Why?', 'Where?', 'Who?'].map((content) =>
    completed(agent.client, [...said, { role: 'user', content }]),
  );
  const answers = await Promise.all(asked);
  const ids = answers.map((each) => each.conversation_id);
  expect(new Set(ids).size).toBe(3);
  expect(ids).toContain(first.conversation_id);
});

test('end users are kept apart, by the field user or by the header', async () => {
  const agent = await makeAgent();
  const ada = await completed(agent.client, hours, { user: 'ada' });
  await expect(read(agent, ada.conversation_id)).rejects.toMatchObject({ status: 404 });
  expect((await read(agent, ada.conversation_id, 'ada')).messages).toHaveLength(2);
  const told: Message[] = [
    ...hours,
    { role: 'assistant', content: 'Until nine [1].' },
    { role: 'user', content: 'Why?' },
  ];
  const byHeader = clientOf(agent.id, agent.apiKey, { 'End-User': 'ada' });
  expect((await completed(byHeader, told, { user: 'bob' })).conversation_id).toBe(ada.conversation_id);
  expect((await completed(agent.client, told, { user: 'bob' })).conversation_id).not.toBe(
    ada.conversation_id,
  );
  await expect(completed(agent.client, hours, { user: 'a b' })).rejects.toMatchObject({ status: 400 });
});

test('a private agent answers its own key with its live version', async () => {
  const { id, client } = await makeAgent();
  await owner.chatbot.update({ id, organizationId, isPublic: false, customInstructions: 'Be brief.' });
  const { chatbot } = await owner.chatbot.get({ id, organizationId });
  await owner.version.publish({ id, organizationId, number: chatbot.version });
  await owner.chatbot.update({ id, organizationId, customInstructions: 'Be long.' });
  await completed(client, hours);
  expect(provider.requests.at(-1)?.messages[0]?.content).toContain('Be brief.');
});

test('the agent is the only model at its address', async () => {
  const { id, client } = await makeAgent();
  const models = await Array.fromAsync(await client.models.list());
  expect(models).toMatchObject([{ id, object: 'model', owned_by: 'parley' }]);
});

test('a call of OpenAI’s that agents do not have is refused in OpenAI’s format, with those they have', async () => {
  const { client } = await makeAgent();
  const missing = [
    () => client.responses.create({ model: 'agent', input: 'When does the shop close?' }),
    () => client.models.retrieve('agent'),
  ];
  for (const call of missing)
    await expect(call()).rejects.toMatchObject({
      status: 404,
      code: 'resource/not-found',
      message: expect.stringContaining('POST chat/completions'),
    });
  const wrong = client.get('/chat/completions');
  await expect(wrong).rejects.toMatchObject({ status: 405, code: 'request/method-not-allowed' });
});

test('a picture is refused in words', async () => {
  const { client } = await makeAgent();
  const image_url = { url: 'data:image/png;base64,AAAA' };
  const asked = completed(client, [{ role: 'user', content: [{ type: 'image_url', image_url }] }]);
  await expect(asked).rejects.toMatchObject({
    status: 400,
    param: 'messages.0.content',
    message: expect.stringContaining('no pictures'),
  });
});

test('a client that disconnects stops the answer, which keeps what had arrived', async () => {
  const agent = await makeAgent();
  provider.script = { pieces: Array.from({ length: 400 }, () => 'word '), betweenPiecesMs: 20 };
  try {
    const stream = await agent.client.chat.completions.create({
      model: 'any',
      messages: hours,
      stream: true,
    });
    let conversation = '';
    for await (const chunk of stream) {
      conversation = (chunk as unknown as { conversation_id: string }).conversation_id;
      if (chunk.choices[0]?.delta.content) break;
    }
    const state = async () => (await read(agent, conversation)).messages[1]?.state;
    await expect.poll(state).toBe('stopped');
    const abort = new AbortController();
    const whole = agent.client.chat.completions.create(
      { model: 'any', messages: hours, user: 'ada' },
      { signal: abort.signal },
    );
    setTimeout(() => abort.abort(), 300);
    await expect(whole).rejects.toThrow(OpenAI.APIUserAbortError);
    const ada = bearing(product, agent.apiKey, { 'end-user': 'ada' });
    const { conversations } = await ada.chat.list();
    const id = conversations[0]?.id ?? '';
    await expect.poll(async () => (await ada.chat.listMessages({ id })).messages[1]?.state).toBe('stopped');
  } finally {
    provider.script = { pieces: ['Until ', 'nine ', '[1].'] };
  }
});

test('only the agent’s own key grants access', async () => {
  const [mine, other] = [await makeAgent(), await makeAgent()];
  const { idToken } = await product.sessionOf('owner');
  const { secret } = await owner.apiKey.create({ organizationId, name: 'CI', scope: 'write' });
  const { token } = await visit(product, mine.id);
  for (const key of ['parleyagent_wrong', 'sk-other', idToken, secret, token]) {
    const client = clientOf(mine.id, key);
    await expect(completed(client, hours)).rejects.toThrow(OpenAI.AuthenticationError);
    await expect(client.models.list()).rejects.toMatchObject({ status: 401, code: 'auth/unauthenticated' });
  }
  const byCookie = await fetch(`${product.url}/v1/agents/${mine.id}/models`, {
    headers: { cookie: `auth-token=${idToken}`, origin: 'https://evil.example' },
  });
  expect(byCookie.status).toBe(401);
  expect(byCookie.headers.has('access-control-allow-origin')).toBe(false);
  await expect(completed(clientOf(mine.id, other.apiKey), hours)).rejects.toThrow(OpenAI.NotFoundError);
  await expect(clientOf(mine.id, other.apiKey).models.list()).rejects.toThrow(OpenAI.NotFoundError);
  await expect(completed(clientOf('agt_nobody', mine.apiKey), hours)).rejects.toThrow(OpenAI.NotFoundError);
  await owner.visitor.removeApiKey({ id: mine.id });
  await expect(completed(mine.client, hours)).rejects.toThrow(OpenAI.AuthenticationError);
});

const refused: [what: string, request: object, param: string][] = [
  ['tools', { tools: [{ type: 'function', function: { name: 'x' } }] }, 'tools'],
  ['several answers', { n: 2 }, 'n'],
  ['JSON', { response_format: { type: 'json_object' } }, 'response_format.type'],
  ['no message', { messages: [] }, 'messages'],
  ['an answer as the last message', { messages: [{ role: 'assistant', content: 'Yes.' }] }, 'messages'],
  ['a blank question', { messages: [{ role: 'user', content: ' ' }] }, 'messages'],
  ['a question that is too long', { messages: [{ role: 'user', content: 'x'.repeat(8001) }] }, 'messages.0'],
  [
    'a result of a tool',
    { messages: [{ role: 'tool', tool_call_id: '1', content: 'x' }] },
    'messages.0.role',
  ],
];

test.each(refused)(
  '%s is refused with an OpenAI-style error that names the problem',
  async (_what, request, param) => {
    const { client } = await makeAgent();
    const failure = await completed(client, hours, request).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(OpenAI.BadRequestError);
    expect(failure).toMatchObject({ type: 'invalid_request_error', code: 'request/invalid', param });
  },
);

test('a failing model is reported as an error, in a stream as well', async () => {
  const { client } = await makeAgent();
  provider.script = { pieces: [], status: 400 };
  try {
    await expect(completed(client, hours)).rejects.toMatchObject({ status: 503, type: 'server_error' });
    const stream = await client.chat.completions.create({ model: 'any', messages: hours, stream: true });
    await expect(Array.fromAsync(stream)).rejects.toThrow(/model could not be reached/);
  } finally {
    provider.script = { pieces: ['Until ', 'nine ', '[1].'] };
  }
});

test('an answer cut off at its length limit is returned and marked as such', async () => {
  const { client } = await makeAgent();
  provider.script = { pieces: ['Until '], endsFor: 'length' };
  try {
    const cut = { finish_reason: 'length' };
    const { choices } = await completed(client, hours);
    expect(choices).toMatchObject([{ ...cut, message: { content: 'Until ' } }]);
    const stream = await client.chat.completions.create({ model: 'any', messages: hours, stream: true });
    expect((await Array.fromAsync(stream)).at(-1)?.choices).toMatchObject([cut]);
  } finally {
    provider.script = { pieces: ['Until ', 'nine ', '[1].'] };
  }
});

test('an end user has the same message limit as in the chat, and an oversized request is refused', async () => {
  const { client } = await makeAgent();
  await Promise.all(Array.from({ length: 20 }, () => completed(client, hours)));
  const failure = await completed(client, hours).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(OpenAI.RateLimitError);
  expect(
    Number((failure as InstanceType<typeof OpenAI.RateLimitError>).headers?.get('retry-after')),
  ).toBeGreaterThan(0);
  await completed(client, hours, { user: 'somebody else' }).catch(() => undefined);
  await completed(client, hours, { user: 'somebody-else' });
  const long: Message[] = Array.from({ length: 50 }, () => ({
    role: 'assistant',
    content: 'x'.repeat(8000),
  }));
  await expect(completed(client, long)).rejects.toMatchObject({ status: 413, code: 'request/too-large' });
});

test('without credits the error is OpenAI’s insufficient quota, and nothing is stored', async () => {
  const billing = {
    mode: 'on' as const,
    plans: { ...plans, FREE_PLAN: { ...plans.FREE_PLAN, creditsAMonth: 1 } },
  };
  const poor = await startProduct({ billing, providers: { openai: provider.openai } });
  try {
    const ada = poor.as('ada');
    const { organization } = await ada.organization.create({ name: 'Poor' });
    const { id, apiKey } = await makeTaughtAgent(ada, organization.id);
    const client = new OpenAI({ baseURL: `${poor.url}/v1/agents/${id}`, apiKey, maxRetries: 0 });
    await completed(client, hours);
    await expect(completed(client, hours)).rejects.toMatchObject({
      status: 402,
      type: 'insufficient_quota',
      code: 'quota/exceeded',
    });
    expect((await bearing(poor, apiKey).chat.list()).conversations).toHaveLength(1);
  } finally {
    await poor.close();
  }
});
