import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startProduct, type Product } from '../../../test/product.ts';
import { startProvider, type Provider } from '../../../test/stand-ins/provider.ts';
import { readConfig } from '../config/config.ts';

interface SentSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
}

/** A loopback collector that keeps what it receives. */
const bodies: string[] = [];
const sent = (): SentSpan[] =>
  bodies.flatMap((body) =>
    (JSON.parse(body) as { resourceSpans: { scopeSpans: { spans: SentSpan[] }[] }[] }).resourceSpans.flatMap(
      ({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans),
    ),
  );
let authorization: string | undefined;
let collector: Server;
let provider: Provider;
let product: Product;

async function start(trustedProxies: string[]): Promise<Product> {
  const { port } = collector.address() as AddressInfo;
  const { operations } = readConfig({
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Basic%20canary',
  });
  const providers = { openai: { apiKey: 'sk-canary', baseUrl: provider.baseUrl, model: 'stand-in' } };
  return startProduct({ operations, providers, trustedProxies });
}

beforeAll(async () => {
  collector = createServer((request, response) => {
    authorization = request.headers.authorization;
    let body = '';
    request.setEncoding('utf8').on('data', (piece: string) => (body += piece));
    request.on('end', () => {
      bodies.push(body);
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  provider = await startProvider({ pieces: ['canary-said by the model.'] });
  product = await start(['127.0.0.1']);
});
afterAll(async () => {
  await product.close();
  await provider.close();
  collector.closeAllConnections();
  collector.close();
});

const traceId = '0af7651916cd43dd8448eb211c80319c';
const traceparent = `00-${traceId}-b7ad6b7169203331-01`;

test('a request and the steps of its answer form one trace, without any message text', async () => {
  const ada = product.as('ada');
  const organizationId = (await ada.organization.create({ name: 'Acme' })).organization.id;
  const agentId = (await ada.chatbot.create({ organizationId, name: 'canary-agent' })).chatbot.id;
  const { conversation } = await ada.chat.create({ chatbotId: agentId });
  const { idToken } = await product.sessionOf('ada');
  const response = await fetch(`${product.url}/v1/chat/${conversation.id}/message?canary-query`, {
    method: 'POST',
    headers: { authorization: `Bearer ${idToken}`, 'content-type': 'application/json', traceparent },
    body: JSON.stringify({ text: 'canary-asked by ada' }),
  });
  // The query isn't part of this call.
  expect([200, 400]).toContain(response.status);
  await ada.chat.send({ id: conversation.id, text: 'canary-asked by ada' });
  await expect.poll(() => sent().filter(({ name }) => name === 'settle').length).toBeGreaterThan(0);
  const spans = sent();
  const settle = spans.find(({ name }) => name === 'settle');
  const ofAnswer = spans.filter((span) => span.traceId === settle?.traceId);
  const answer = ofAnswer.find(({ name }) => name === 'answer');
  const request = ofAnswer.find(({ name }) => name === 'POST /v1/chat/:id/message');
  expect(answer?.parentSpanId).toBe(request?.spanId);
  for (const name of ['passages', 'model', 'settle'])
    expect(ofAnswer.find((span) => span.name === name)?.parentSpanId).toBe(answer?.spanId);
  expect(bodies.join('\n')).not.toMatch(/canary|sk-|Bearer|(agt|org|usr|cnv|msg)_[0-9a-z]{20,}/);
  expect(authorization).toBe('Basic canary');
});

test('a request joins the trace of a trusted proxy, and of nobody else', async () => {
  const stranger = await start(['203.0.113.7']);
  await fetch(`${product.url}/healthz`, { headers: { traceparent } });
  await fetch(`${stranger.url}/readyz`, { headers: { traceparent } });
  await stranger.close();
  const named = (name: string): SentSpan[] => sent().filter((span) => span.name === name);
  await expect.poll(() => named('GET /healthz').length).toBe(1);
  expect(named('GET /healthz')[0]?.traceId).toBe(traceId);
  expect(named('GET /readyz')[0]?.traceId).toMatch(/^[0-9a-f]{32}$/);
  expect(named('GET /readyz')[0]?.traceId).not.toBe(traceId);
});
