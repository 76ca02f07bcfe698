import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { request } from 'undici';
import type { Stand } from './stage.ts';

/** The outcome of one message. Times in milliseconds. */
export interface Asked {
  status: number;
  /** Set on a refusal. */
  retryAfter: string | null;
  /** Until the server confirmed that the message is saved: the stream's head is sent after the commit. */
  acknowledgedMs: number;
  /** Until the first word of the answer. */
  firstMs: number | undefined;
  gaps: number[];
  /** The stream reached its end. */
  isWhole: boolean;
  /** Why there was no answer. */
  problem?: string;
  /** When it was sent, on the `performance.now()` clock. */
  at: number;
}

/**
 * Sends one message and reads the answer to its end. Never throws: a broken connection is status 0. The client competes
 * with the server for the same cores: undici's `request` takes 0.10 ms a message, `fetch` 0.41 to 0.57.
 */
export async function ask(url: string, { owner }: Stand, conversationId: string): Promise<Asked> {
  const at = performance.now();
  const asked: Asked = {
    status: 0,
    retryAfter: null,
    acknowledgedMs: Number.NaN,
    firstMs: undefined,
    gaps: [],
    isWhole: false,
    at,
  };
  try {
    const { statusCode, headers, body } = await request(`${url}/v1/chat/${conversationId}/message`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'text/event-stream',
        authorization: `Bearer ${owner.token()}`,
      },
      body: JSON.stringify({ text: 'Say many words.' }),
    });
    asked.acknowledgedMs = performance.now() - at;
    asked.status = statusCode;
    asked.retryAfter = headers['retry-after']?.toString() ?? null;
    if (statusCode < 300) await read(body, asked);
    else asked.problem = await body.text();
  } catch (error) {
    asked.isWhole = false;
    asked.problem = String(error);
  }
  return asked;
}

async function read(body: Readable, asked: Asked): Promise<void> {
  let last: number | undefined;
  let tail = '';
  for await (const chunk of body.setEncoding('utf8') as AsyncIterable<string>) {
    const now = performance.now();
    if (chunk.includes('"text-delta"')) {
      asked.firstMs ??= now - asked.at;
      if (last !== undefined) asked.gaps.push(now - last);
      last = now;
    }
    // The end marker may be split across two chunks.
    tail = (tail + chunk).slice(-100);
  }
  asked.isWhole = tail.includes('[DONE]');
}

/**
 * Sends messages at a steady rate regardless of how earlier ones fare (an open loop), each to the conversation that has
 * been idle longest. Resolves when all have been answered.
 */
export async function askSteadily(
  url: string,
  stand: Stand,
  { perSecond, seconds }: { perSecond: number; seconds: number },
): Promise<Asked[]> {
  const free = [...stand.conversations];
  const asking: Promise<Asked>[] = [];
  const began = performance.now();
  for (let index = 0; index < perSecond * seconds; index += 1) {
    const wait = began + (index * 1000) / perSecond - performance.now();
    if (wait > 1) await delay(wait);
    const conversation = free.shift();
    if (conversation === undefined)
      throw new Error('All conversations are busy: the stage needs more of them.');
    asking.push(ask(url, stand, conversation).finally(() => free.push(conversation)));
  }
  return Promise.all(asking);
}
