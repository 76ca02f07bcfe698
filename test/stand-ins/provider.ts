import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { answerEmbedding, type EmbeddingRequest, type EmbeddingScript } from './embedding.ts';

/** How the stand-in answers. Times in milliseconds. */
export interface ProviderScript {
  /** The answer's text, one chunk per event. */
  pieces: string[];
  firstPieceAfterMs?: number;
  betweenPiecesMs?: number;
  /** An HTTP error instead of an answer. */
  status?: number;
  /** The finish reason it reports. */
  endsFor?: string;
  /** Cuts the connection after this many chunks. */
  cutAfter?: number;
  /** Never responds. */
  hang?: boolean;
  /** Functions it requests after the chunks. */
  calls?: { name: string; arguments: unknown }[];
  /** The usage it reports instead of the real one. */
  usage?: object;
  /** Overrides all this for a request. */
  of?: (request: ProviderRequest) => Partial<ProviderScript>;
}

export interface ProviderRequest {
  model: string;
  messages: { role: string; content: string; tool_calls?: unknown[] }[];
  tools?: { function: { name: string; description: string; parameters: object } }[];
  stream?: boolean;
  authorization: string | undefined;
}

/** A model that calls this function for each message, and answers with these chunks once it has the result. */
export function callingFirst(call: { name: string; arguments: unknown }, pieces: string[]) {
  return ({ messages }: ProviderRequest): Partial<ProviderScript> => {
    const last = messages.findLastIndex(({ role }) => role === 'user');
    const hasCalled = messages.slice(last).some(({ role }) => role === 'assistant');
    return hasCalled ? { pieces } : { pieces: [], calls: [call] };
  };
}

export interface Provider {
  baseUrl: string;
  /** The provider account to start a product with. */
  openai: { apiKey: string; baseUrl: string; model: string };
  /** The same for a separate process. */
  environment: Record<'OPENAI_API_KEY' | 'OPENAI_BASE_URL' | 'OPENAI_MODEL', string>;
  /** All requests it received, in order. */
  requests: ProviderRequest[];
  script: ProviderScript;
  /** Scripts for models that answer differently, by name. */
  scripts: Record<string, ProviderScript>;
  /** The same for embedding requests. */
  embeddingRequests: EmbeddingRequest[];
  embedding: EmbeddingScript;
  close: () => Promise<void>;
}

/**
 * A server for OpenAI's chat completions and embeddings protocol, like any compatible one; on loopback unless another
 * address of this machine is given.
 */
export async function startProvider(script: ProviderScript, host = '127.0.0.1'): Promise<Provider> {
  const requests: ProviderRequest[] = [];
  const provider = {
    requests,
    script,
    scripts: {},
    embeddingRequests: [],
    embedding: {},
  } as unknown as Provider;
  const server = createServer((request, response) => {
    answer(provider, request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const baseUrl = `http://${host}:${(server.address() as AddressInfo).port}/v1`;
  provider.baseUrl = baseUrl;
  provider.openai = { apiKey: 'sk-test', baseUrl, model: 'stand-in' };
  provider.environment = { OPENAI_API_KEY: 'sk-test', OPENAI_BASE_URL: baseUrl, OPENAI_MODEL: 'stand-in' };
  provider.close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return provider;
}

async function answer(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString('utf8');
  if (request.url?.endsWith('/embeddings')) {
    const asked = JSON.parse(text) as EmbeddingRequest;
    provider.embeddingRequests.push(asked);
    return answerEmbedding(provider.embedding, asked, response);
  }
  const body = JSON.parse(text) as Omit<ProviderRequest, 'authorization'>;
  provider.requests.push({ ...body, authorization: request.headers.authorization });
  const written = provider.scripts[body.model] ?? provider.script;
  const script = { ...written, ...written.of?.({ ...body, authorization: request.headers.authorization }) };
  const { pieces, status, cutAfter, hang, firstPieceAfterMs = 0, betweenPiecesMs = 0 } = script;
  if (hang) return;
  if (status) {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ error: { message: 'No.', type: 'stand_in' } }));
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  if (firstPieceAfterMs) await sleep(firstPieceAfterMs);
  for (const [index, content] of pieces.entries()) {
    if (index > 0 && betweenPiecesMs) await sleep(betweenPiecesMs);
    if (index === cutAfter) {
      response.destroy();
      return;
    }
    if (response.destroyed) return;
    response.write(
      event(body.model, {
        choices: [{ index: 0, delta: { role: 'assistant', content }, finish_reason: null }],
      }),
    );
  }
  const calls = script.calls ?? [];
  for (const [index, call] of calls.entries()) {
    const given = typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments);
    const id = `call_${provider.requests.length}_${index}`;
    const wanted = { index, id, type: 'function', function: { name: call.name, arguments: given } };
    response.write(
      event(body.model, { choices: [{ index: 0, delta: { tool_calls: [wanted] }, finish_reason: null }] }),
    );
  }
  const reason = script.endsFor ?? (calls.length > 0 ? 'tool_calls' : 'stop');
  response.write(event(body.model, { choices: [{ index: 0, delta: {}, finish_reason: reason }] }));
  response.write(
    event(body.model, {
      choices: [],
      usage: script.usage ?? {
        prompt_tokens: 10,
        completion_tokens: pieces.length,
        total_tokens: 10 + pieces.length,
      },
    }),
  );
  response.end('data: [DONE]\n\n');
}

function event(model: string, fields: object): string {
  return `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model, ...fields })}\n\n`;
}
