import { Worker } from 'node:worker_threads';
import {
  TOOL_DOCUMENT_MAX_BYTES,
  TOOL_DOCUMENT_MEMORY_MIB,
  TOOL_DOCUMENT_PARTS_MAX,
  TOOL_DOCUMENT_READ_MS,
  TOOL_DOCUMENT_WAIT_MS,
} from '../../../../contract/limits.ts';
import { AppError } from '../../../app-error.ts';
import type { Egress } from '../../../egress/egress.ts';
import type { DocumentTexts, ReadService } from './document.ts';
import type { Answered } from './document.worker.ts';

/** A document that another one refers to can refer to others again; so deep is followed. */
const ROUNDS_MAX = 3;
/** How often is looked at how long a thread has worked. */
const WATCH_MS = 100;
const ignore = (): void => undefined;

/**
 * Reads what a service offers, in a thread of its own with bounds of time and memory; every address only through `egress`.
 * Errors: `tool/document-refused` in words for whoever gave it; those of `egress`.
 */
export async function readDocument(
  egress: Egress,
  given: { text: string } | { url: string },
  signal: AbortSignal,
): Promise<ReadService & { url: string | null }> {
  let bytes = 0;
  const load = async (address: string): Promise<string> => {
    const maxBytes = TOOL_DOCUMENT_MAX_BYTES - bytes;
    if (maxBytes <= 0) throw refused('The document is too large with everything that it refers to.');
    const { body, status } = await egress.fetch(address, { kind: 'document', maxBytes, signal });
    if (status !== 200) throw new AppError('egress/failed', `The address answered ${status}.`);
    bytes += body.length;
    return body.toString('utf8').replace(/^\ufeff/, '');
  };
  const url = 'url' in given ? given.url : null;
  const texts: DocumentTexts = { text: 'url' in given ? await load(given.url) : given.text, url, others: [] };
  let left = TOOL_DOCUMENT_READ_MS;
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const { service, ms } = await inThread(texts, left);
    left -= ms;
    if (service.missing.length === 0) return { ...service, url };
    if (texts.others.length + service.missing.length > TOOL_DOCUMENT_PARTS_MAX)
      throw refused(`The document refers to more than ${TOOL_DOCUMENT_PARTS_MAX} others.`);
    for (const address of service.missing) texts.others.push([address, await load(address)]);
  }
  throw refused('The document refers to others that refer to others, too far.');
}

/** With how long it took. */
async function inThread(texts: DocumentTexts, mostMs: number): Promise<{ service: ReadService; ms: number }> {
  const worker = new Worker(new URL('document.worker.ts', import.meta.url), {
    workerData: texts,
    // No variables: reading foreign documents has no need of the server's secrets.
    env: {},
    argv: [],
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: TOOL_DOCUMENT_MEMORY_MIB },
  });
  let ms = 0;
  const end = () => void worker.terminate();
  const timer = setTimeout(end, TOOL_DOCUMENT_WAIT_MS);
  // Its own time of the processor: how busy the machine is otherwise is no fault of the document.
  const watch = setInterval(() => {
    worker.cpuUsage().then(({ user, system }) => {
      ms = (user + system) / 1000;
      if (ms > mostMs) end();
      // Of a thread that has not begun yet, or has ended, there is nothing to know.
    }, ignore);
  }, WATCH_MS);
  try {
    const answered = await new Promise<Answered>((resolve) => {
      worker.once('message', resolve);
      // A thread that is out of memory or is ended says nothing.
      worker.once('error', () => resolve({ refusal: 'The document is too large to be read.' }));
      worker.once('exit', () => resolve({ refusal: tooSlow }));
    });
    if ('refusal' in answered) throw refused(answered.refusal);
    return { service: answered.service, ms };
  } finally {
    clearTimeout(timer);
    clearInterval(watch);
    await worker.terminate();
  }
}

const tooSlow = `The document takes longer than ${TOOL_DOCUMENT_READ_MS / 1000} s to be read. JSON is read faster than YAML.`;

function refused(reason: string): AppError {
  return new AppError('tool/document-refused', reason);
}
