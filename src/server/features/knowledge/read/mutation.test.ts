import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { zipOf } from '../../../../../test/fixtures/zip-writer.ts';
import { runInThread } from '../worker/run.ts';
import { PDF_PAGE_TIMEOUT_MS } from './limits.ts';
import type { DocumentKind } from './read.ts';
import { openArchive } from './zip.ts';

/** Per real file. One thread reads them all: damage done by one would show in the next. */
const MUTATIONS = process.env['TORTURE'] ? 600 : 200;
/** For a long one. */
const MUTATIONS_OF_A_BOOK = process.env['TORTURE'] ? 120 : 25;
const BYTES_CHANGED_MAX = 20;
/** The maximum for a PDF page, plus the reader's character tables, which it builds without checking the time. */
const SLOWEST_MS = 3 * PDF_PAGE_TIMEOUT_MS;
const TIMEOUT_MS = process.env['TORTURE'] ? 1_200_000 : 300_000;

interface Outcome {
  read: number;
  refused: number;
  /** Names of errors without a message of ours. */
  strange: string[];
  /** CPU time: a busy machine doesn't make it fail. */
  slowestMs: number;
}

const work = `async ({ kind, documents }) => {
  const outcome = { read: 0, refused: 0, strange: [], slowestMs: 0 };
  for (const data of documents) {
    const start = process.cpuUsage();
    try {
      const { text } = await read({ kind, data });
      if (text === '') outcome.strange.push('no text');
      outcome.read += 1;
    } catch (error) {
      outcome.refused += 1;
      if (!(error instanceof UnreadableError)) outcome.strange.push(String(error));
    }
    const { user, system } = process.cpuUsage(start);
    outcome.slowestMs = Math.max(outcome.slowestMs, (user + system) / 1000);
  }
  return outcome;
}`;
const address = (file: string) => JSON.stringify(new URL(file, import.meta.url).href);
const worker = new URL(
  `data:text/javascript,${encodeURIComponent(
    `import { answer } from ${address('../worker/answer.ts')}; import { read } from ${address('readers.ts')}; import { UnreadableError } from ${address('document.ts')}; answer(${work});`,
  )}`,
);

/** The same numbers on every run. */
function dice(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function mutated(data: Uint8Array, roll: (below: number) => number): Buffer {
  const copy = Buffer.from(data);
  const changes = 1 + roll(BYTES_CHANGED_MAX);
  for (let change = 0; change < changes; change += 1) copy[roll(copy.length)] = roll(256);
  return roll(10) === 0 ? copy.subarray(0, roll(copy.length)) : copy;
}

/** Mutates the archive's contents and repacks them correctly: the target is the reader behind it. */
function mutatedInside(data: Uint8Array, roll: (below: number) => number): Buffer {
  const archive = openArchive(data);
  const parts = archive.names.filter((name) => /\.(?:xml|rels|xhtml|opf)$/.test(name));
  const chosen = parts[roll(parts.length)];
  return zipOf(
    archive.names.map((name) => {
      const content = archive.read(name) ?? Buffer.alloc(0);
      return { name, content: name === chosen && content.length > 0 ? mutated(content, roll) : content };
    }),
  );
}

test.each([
  ['pdf', 'guide.pdf', MUTATIONS],
  ['pdf', 'libtasn1.pdf', MUTATIONS_OF_A_BOOK],
  ['docx', 'guide.docx', MUTATIONS],
  ['docx', 'tables.docx', MUTATIONS],
  ['pptx', 'harbour.pptx', MUTATIONS],
  ['xlsx', 'fleet.xlsx', MUTATIONS],
  ['xlsx', 'deaths.xlsx', MUTATIONS],
  ['epub', 'guide.epub', MUTATIONS],
  ['epub', 'developers-reference.epub', MUTATIONS_OF_A_BOOK],
  ['html', 'zlib_how.html', MUTATIONS],
] as [DocumentKind, string, number][])(
  'every mutation of the %s %s is read or refused with an explanation',
  { timeout: TIMEOUT_MS },
  async (kind, name, count) => {
    const original = await readFile(`test/fixtures/${name}`);
    const roll = dice(original.length);
    const isArchive = kind !== 'pdf' && kind !== 'html';
    const documents = Array.from({ length: count }, (_, index) =>
      isArchive && index % 2 === 0 ? mutatedInside(original, roll) : mutated(original, roll),
    );
    const limits = { timeoutMs: TIMEOUT_MS - 10_000, memoryMib: 512 };
    const outcome = await runInThread<unknown, Outcome>(worker, { kind, documents }, limits);
    expect(outcome.read + outcome.refused).toBe(count);
    expect(outcome.strange).toEqual([]);
    expect(outcome.slowestMs).toBeLessThan(SLOWEST_MS);
    // Otherwise the mutations would only test the first check.
    expect(outcome.read).toBeGreaterThan(count / 10);
  },
);
