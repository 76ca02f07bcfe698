import { afterAll, beforeAll, expect, test } from 'vitest';
import { startProduct, type Product, type TestClient } from '../../../test/product.ts';
import { startProvider, type Provider } from '../../../test/stand-ins/provider.ts';
import { openSocket, outcomeOf } from '../../../test/sockets.ts';
import { figure } from '../../../test/watching.ts';
import { readConfig } from '../config/config.ts';

const token = 'a-token-for-prometheus';
let product: Product;
let provider: Provider;
let ada: TestClient;
let agentId: string;
let organizationId: string;

beforeAll(async () => {
  provider = await startProvider({ pieces: ['Ten ', 'degrees.'] });
  product = await startProduct({
    operations: { ...readConfig({}).operations, metricsToken: token },
    providers: { openai: { apiKey: 'sk', baseUrl: provider.baseUrl, model: 'stand-in,broken' } },
    providerFailuresMax: 1,
  });
  provider.scripts['broken'] = { pieces: [], status: 500 };
  ada = product.as('ada');
  organizationId = (await ada.organization.create({ name: 'Acme' })).organization.id;
  agentId = (await ada.chatbot.create({ organizationId, name: 'Helper' })).chatbot.id;
});
afterAll(async () => {
  await product.close();
  await provider.close();
});

const scrape = (bearer = token): Promise<Response> =>
  fetch(`${product.url}/metrics`, { headers: { authorization: `Bearer ${bearer}` } });
const read = async (): Promise<string> => (await scrape()).text();
const ask = async (): Promise<void> => {
  const { conversation } = await ada.chat.create({ chatbotId: agentId });
  await ada.chat.send({ id: conversation.id, text: 'How cold is it?' });
};

test('the page does not exist without the token', async () => {
  expect((await fetch(`${product.url}/metrics`)).status).toBe(404);
  expect((await scrape(`${token}x`)).status).toBe(404);
  const answered = await scrape();
  expect(answered.status).toBe(200);
  expect(answered.headers.get('content-type')).toContain('text/plain; version=0.0.4');
});

test('an answer is counted with its time and tokens, and so is its request', async () => {
  const before = await read();
  await ask();
  const after = await read();
  const more = (name: string, labels?: Record<string, string>) =>
    figure(after, name, labels) - figure(before, name, labels);
  expect(more('parley_answers_total', { outcome: 'complete', provider: 'openai' })).toBe(1);
  expect(more('parley_answer_first_token_seconds_count')).toBe(1);
  expect(more('parley_answer_seconds_count')).toBe(1);
  expect(more('parley_answer_tokens_total', { direction: 'input' })).toBe(10);
  expect(more('parley_answer_tokens_total', { direction: 'output' })).toBe(2);
  expect(
    more('parley_http_requests_total', { route: '/v1/chat/:id/message', method: 'POST', status: '200' }),
  ).toBe(1);
  expect(figure(after, 'parley_database_wait_seconds_count')).toBeGreaterThan(0);
  expect(figure(after, 'process_resident_memory_bytes')).toBeGreaterThan(1e7);
  expect(figure(after, 'parley_database_connections', { pool: 'requests' })).toBeGreaterThan(0);
  expect(after).toContain('nodejs_eventloop_lag_p99_seconds');
  expect(after).toContain('parley_jobs{queue="mail.send",state="waiting"}');
});

test('a failing provider is visible, and so is its suspension', async () => {
  await ada.chatbot.update({ id: agentId, organizationId, modelSettings: { model: 'openai/broken' } });
  await ask();
  const text = await read();
  expect(figure(text, 'parley_provider_failures_total', { provider: 'openai' })).toBeGreaterThan(0);
  expect(figure(text, 'parley_answers_total', { outcome: 'failed' })).toBe(1);
  expect(figure(text, 'parley_provider_resting', { provider: 'openai' })).toBe(1);
});

test('a socket is counted while it is open', async () => {
  const { idToken } = await product.sessionOf('ada');
  const socket = openSocket(product, { idToken });
  expect(await outcomeOf(socket)).toBe('connected');
  expect(figure(await read(), 'parley_sockets')).toBe(1);
  socket.disconnect();
  await expect.poll(async () => figure(await read(), 'parley_sockets')).toBe(0);
});

test('no metric names an organization, an agent, a person or a requested address', async () => {
  await fetch(`${product.url}/v1/nowhere/canary-path`);
  const text = await read();
  expect(text).not.toMatch(/\b(agt|org|usr|cnv|msg|key)_[0-9a-z]{20,}/);
  expect(text).not.toContain('canary-path');
  expect(text).not.toContain(organizationId);
  expect(text).not.toContain(agentId);
});
