import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** Failures of OpenAI's chat completions protocol over real connections. */
export type Fault = keyof typeof faults | 'none';

export interface FaultyProvider {
  /** For `OPENAI_BASE_URL`. */
  baseUrl: string;
  fault: Fault;
  /** The answer without a fault, one chunk per event. */
  pieces: string[];
  /** The number of requests so far. */
  asked: number;
  /** The bodies of all requests as sent, and their keys. */
  received: { body: string; authorization: string | undefined; path: string | undefined }[];
  close: () => Promise<void>;
}

const MIB = 1024 * 1024;

export async function startFaultyProvider(): Promise<FaultyProvider> {
  const received: FaultyProvider['received'] = [];
  const provider: FaultyProvider = {
    baseUrl: '',
    fault: 'none',
    pieces: ['All ', 'is ', 'well.'],
    asked: 0,
    received,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    provider.asked += 1;
    const { authorization } = request.headers;
    const body = Buffer.concat(chunks).toString('utf8');
    received.push({ body, authorization, path: request.url });
    const { fault } = provider;
    if (fault === 'none') whole(response, provider.pieces);
    else await faults[fault](response, body, provider);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  provider.baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  return provider;
}

const faults = {
  'a 400 for pictures': (response: ServerResponse, body: string, provider: FaultyProvider) => {
    if (body.includes('image_url')) refuse(response, 400);
    else whole(response, provider.pieces);
  },
  'a 401': (response: ServerResponse) => refuse(response, 401),
  'a 429 with Retry-After': (response: ServerResponse) => refuse(response, 429, { 'retry-after': '1' }),
  'a 429 that asks for an hour': (response: ServerResponse) =>
    refuse(response, 429, { 'retry-after': '3600' }),
  'a 500': (response: ServerResponse) => refuse(response, 500),
  'a 503': (response: ServerResponse) => refuse(response, 503),
  'a redirect': (response: ServerResponse) => refuse(response, 307, { location: 'http://127.0.0.1:1/' }),
  'nothing, not even headers': () => undefined,
  'nothing after half of it': (response: ServerResponse) => begin(response, ['Half ', 'of ']),
  'an end before the first token': (response: ServerResponse) => cutAfter(response, 0),
  'an end after one token': (response: ServerResponse) => cutAfter(response, 1),
  'an end after 50 tokens': (response: ServerResponse) => cutAfter(response, 50),
  'broken events': (response: ServerResponse) => {
    open(response).write('data {"id":1}\nevent\n\n: \u0000\n\ndata: {"choices":[{"delta":{"con\n\n');
    response.end('data: [DONE]\n\n');
  },
  'half a character': async (response: ServerResponse) => {
    const bytes = Buffer.from(piece('schön'));
    const middle = bytes.indexOf(0xc3) + 1;
    open(response).write(bytes.subarray(0, middle));
    await sleep(50);
    response.write(bytes.subarray(middle));
    const torn = Buffer.from(piece(' gr#n'));
    torn[torn.indexOf('#')] = 0xc3;
    response.write(torn);
    end(response);
  },
  'a NUL': (response: ServerResponse) => whole(response, ['Before', '\u0000', ' and\u0000 after.']),
  'an event of 10 MB': (response: ServerResponse) => whole(response, ['x'.repeat(10 * MIB)]),
  'events without end': async (response: ServerResponse) => {
    open(response);
    const noise = `: ${'x'.repeat(MIB)}\n`;
    while (!response.destroyed) if (!response.write(noise)) await sleep(1);
  },
  'a byte at a time': async (response: ServerResponse) => {
    open(response);
    const bytes = Buffer.from(piece('One ') + piece('by one.') + last());
    for (const byte of bytes) {
      response.write(Buffer.of(byte));
      await new Promise((resolve) => setImmediate(resolve));
    }
    response.end();
  },
  'no [DONE]': (response: ServerResponse) => {
    begin(response, ['That ', 'was all.']).end(finish());
  },
  'no [DONE], and the line stays open': (response: ServerResponse) => {
    begin(response, ['That ', 'was all.']).write(finish());
  },
  'a [DONE], and the line stays open': (response: ServerResponse) => {
    begin(response, ['That ', 'was all.']).write(last());
  },
  'the same ids again and again': (response: ServerResponse) => {
    begin(response, ['Same ', 'id.']).write(piece('', 'assistant'));
    response.write(finish());
    end(response);
  },
  'an end for length': (response: ServerResponse) => end(begin(response, ['Half ', 'of it']), 'length'),
  'an end for length before a word': (response: ServerResponse) => end(open(response), 'length'),
  'a filter': (response: ServerResponse) => end(begin(response, ['Half ', 'of it']), 'content_filter'),
  'a filter before a word': (response: ServerResponse) => end(open(response), 'content_filter'),
  'blanks alone': (response: ServerResponse) => whole(response, [' ', '\n']),
  'a function that nobody offered': (response: ServerResponse) => {
    const call = { index: 0, id: 'call_1', type: 'function', function: { name: 'pay', arguments: '{}' } };
    open(response).write(
      event({ choices: [{ index: 0, delta: { tool_calls: [call] }, finish_reason: null }] }),
    );
    response.end(`${finish('tool_calls')}data: [DONE]\n\n`);
  },
  'numbers of tokens that are none': (response: ServerResponse) => {
    const usage = { prompt_tokens: '10', completion_tokens: -1, total_tokens: 1e308 };
    begin(response, ['All ', 'is ', 'well.']).end(
      `${finish()}${event({ choices: [], usage })}data: [DONE]\n\n`,
    );
  },
  'two answers at once': (response: ServerResponse) => {
    const choices = (text: string) =>
      [1, 0].map((index) => ({ index, delta: { content: `${text}${index}` } }));
    open(response).write(event({ choices: choices('a') }) + event({ choices: choices(' b') }));
    end(response);
  },
  'no word': (response: ServerResponse) => whole(response, []),
  'garbage for JSON': (response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end('}{"choices":');
  },
  'an error as JSON with a 200': (response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(problem));
  },
  'an error as an event with a 200': (response: ServerResponse) => {
    open(response).end(`data: ${JSON.stringify(problem)}\n\ndata: [DONE]\n\n`);
  },
  'an error as an event after a token': (response: ServerResponse) => {
    begin(response, ['Half ']).end(`data: ${JSON.stringify(problem)}\n\ndata: [DONE]\n\n`);
  },
  'a page in place of events': (response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Sign in</title>');
  },
};

/** Echoes the key, as some providers do. */
const problem = {
  error: { message: 'sk-canary-1234567890 is not good enough', type: 'server_error', code: null },
};

function refuse(response: ServerResponse, status: number, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(problem));
}

function open(response: ServerResponse): ServerResponse {
  response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
  return response;
}

function begin(response: ServerResponse, pieces: string[]): ServerResponse {
  open(response).write(pieces.map((text) => piece(text)).join(''));
  return response;
}

function whole(response: ServerResponse, pieces: string[]): void {
  end(begin(response, pieces));
}

function end(response: ServerResponse, reason = 'stop'): void {
  response.end(last(reason));
}

async function cutAfter(response: ServerResponse, tokens: number): Promise<void> {
  begin(
    response,
    Array.from({ length: tokens }, () => 'word '),
  );
  await sleep(30);
  response.destroy();
}

function last(reason = 'stop'): string {
  const usage = { prompt_tokens: 10, completion_tokens: 3, total_tokens: 13 };
  return `${finish(reason)}${event({ choices: [], usage })}data: [DONE]\n\n`;
}

function finish(reason = 'stop'): string {
  return event({ choices: [{ index: 0, delta: {}, finish_reason: reason }] });
}

function piece(content: string, role?: string): string {
  return event({ choices: [{ index: 0, delta: { role, content }, finish_reason: null }] });
}

function event(fields: object): string {
  const chunk = {
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'stand-in',
    ...fields,
  };
  return `data: ${JSON.stringify(chunk)}\n\n`;
}
