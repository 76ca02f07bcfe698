import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** How the stand-in embeds. */
export interface EmbeddingScript {
  /** 64 by default. */
  dimensions?: number;
  /** An HTTP error instead of an answer, `times` in a row or forever. */
  status?: number;
  times?: number;
  retryAfter?: string;
  /** Texts with this word are rejected. */
  refused?: string;
  /** The fault in the answer: a non-number, a zero vector, too few vectors, or one that is shorter than the others. */
  fault?: 'null' | 'zero' | 'fewer' | 'shorter';
  afterMs?: number;
  hang?: boolean;
}

export interface EmbeddingRequest {
  model: string;
  input: string[];
  dimensions?: number;
}

/** Words the stand-in treats as synonyms, which no spelling rule would. */
const meanings = [
  ['refund', 'refunds', 'reimbursement', 'reimburse', 'repay', 'cashback'],
  ['bicycle', 'bike', 'velocipede', 'cycle'],
  ['physician', 'doctor', 'medic'],
  ['dog', 'hound', 'canine', 'puppy'],
];
const silent = new Set('a an the is are of to in for on by we you i my your do does how what can'.split(' '));

/** A text as the sum of its words' directions: always the same for the same text, and close for synonyms. */
export function embedText(text: string, dimensions = 64): number[] {
  const sum = new Float64Array(dimensions);
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  for (const word of words.filter((each) => !silent.has(each))) {
    const meaning = meanings.find((known) => known.includes(word))?.[0] ?? word;
    let state = Buffer.from(meaning).reduce((hash, byte) => (hash * 31 + byte) >>> 0, 17);
    for (let at = 0; at < dimensions; at += 1) {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      sum[at] = (sum[at] ?? 0) + state / 2 ** 31 - 1;
    }
  }
  return sum.some((value) => value !== 0) ? [...sum] : [1, ...sum.slice(1)];
}

/** Answers like OpenAI's `POST /embeddings`. */
export async function answerEmbedding(
  script: EmbeddingScript,
  { model, input, dimensions }: EmbeddingRequest,
  response: ServerResponse,
): Promise<void> {
  if (script.hang) return;
  if (script.afterMs) await sleep(script.afterMs);
  const isRefused = script.refused !== undefined && input.some((text) => text.includes(script.refused ?? ''));
  const status = isRefused ? 400 : failureOf(script);
  const headers = { 'content-type': 'application/json' };
  if (status) {
    const { retryAfter } = script;
    response.writeHead(status, retryAfter ? { ...headers, 'retry-after': retryAfter } : headers);
    response.end(JSON.stringify({ error: { message: 'No.', type: 'stand_in' } }));
    return;
  }
  const vectors = faulty(
    input.map((text) => embedText(text, script.dimensions ?? dimensions)),
    script.fault,
  );
  response.writeHead(200, headers);
  response.end(
    JSON.stringify({
      object: 'list',
      model,
      data: vectors.map((embedding, index) => ({ object: 'embedding', index, embedding })),
      usage: { prompt_tokens: 1, total_tokens: 1 },
    }),
  );
}

function failureOf(script: EmbeddingScript): number | undefined {
  if (script.times === undefined) return script.status;
  if (script.times === 0) return undefined;
  script.times -= 1;
  return script.status;
}

function faulty(vectors: number[][], fault: EmbeddingScript['fault']): (number | null)[][] {
  switch (fault) {
    case 'null':
      return vectors.map((vector) => [null, ...vector.slice(1)]);
    case 'zero':
      return vectors.map((vector) => vector.map(() => 0));
    case 'fewer':
      return vectors.slice(1);
    case 'shorter':
      return vectors.map((vector, at) => (at === vectors.length - 1 ? vector.slice(1) : vector));
    case undefined:
      return vectors;
  }
}
