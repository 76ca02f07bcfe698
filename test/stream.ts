import type { ChatStreamEvent } from '../src/contract/chat.ts';
import type { Product, Standing } from './product.ts';

interface StreamReader {
  status: number;
  /** Each event as it arrives, until `[DONE]` or the end of the connection. */
  events: AsyncGenerator<ChatStreamEvent>;
  cancel: () => void;
}

/** Opens a streamed call as a person and reads its events. */
export async function openStream(
  product: Product,
  name: string,
  path: string,
  options: { body?: object; standing?: Standing } = {},
): Promise<StreamReader> {
  const { idToken } = await product.sessionOf(name, options.standing);
  const abort = new AbortController();
  const headers: Record<string, string> = { authorization: `Bearer ${idToken}`, accept: 'text/event-stream' };
  if (options.body) headers['content-type'] = 'application/json';
  const request: RequestInit = { method: options.body ? 'POST' : 'GET', headers, signal: abort.signal };
  if (options.body) request.body = JSON.stringify(options.body);
  const response = await fetch(product.url + path, request);
  return { status: response.status, events: read(response), cancel: () => abort.abort() };
}

async function* read(response: Response): AsyncGenerator<ChatStreamEvent> {
  let rest = '';
  if (!response.body) return;
  for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split('\n\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (line === 'data: [DONE]') return;
      if (line.startsWith('data: ')) yield JSON.parse(line.slice(6)) as ChatStreamEvent;
    }
  }
  throw new Error('The stream ended without [DONE].');
}

export async function collect(events: AsyncIterable<ChatStreamEvent>): Promise<ChatStreamEvent[]> {
  return Array.fromAsync(events);
}

/** The text of a stream's deltas. */
export function textOf(events: ChatStreamEvent[]): string {
  return events.map((event) => (event.type === 'text-delta' ? event.delta : '')).join('');
}
