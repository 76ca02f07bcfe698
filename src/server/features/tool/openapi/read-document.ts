import {
  TOOL_DOCUMENT_MAX_BYTES,
  TOOL_DOCUMENT_MEMORY_MIB,
  TOOL_DOCUMENT_PARTS_MAX,
  TOOL_DOCUMENT_READ_MS,
  TOOL_DOCUMENT_WAIT_MS,
} from '../../../../contract/limits.ts';
import { AppError } from '../../../app-error.ts';
import { runBounded } from '../../../threads/bounded-thread.ts';
import type { Egress } from '../../../egress/egress.ts';
import type { DocumentTexts, ReadService } from './document.ts';
import type { Answered } from './document.worker.ts';

/** A referenced document can refer to further ones; references are followed this deep. */
const ROUNDS_MAX = 3;

/**
 * Reads what a service offers in a separate thread with time and memory limits; fetches every address through `egress`.
 * Errors: `tool/document-refused`, in words for the person who gave it; those of `egress`.
 */
export async function readDocument(
  egress: Egress,
  given: { text: string } | { url: string },
  signal: AbortSignal,
): Promise<ReadService & { url: string | null }> {
  let bytes = 0;
  const load = async (address: string): Promise<string> => {
    const maxBytes = TOOL_DOCUMENT_MAX_BYTES - bytes;
    if (maxBytes <= 0) throw refused('The document is too large with everything it refers to.');
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
  throw refused('The document’s references are nested too deeply.');
}

/** Also returns how long it took. */
async function inThread(texts: DocumentTexts, workMs: number): Promise<{ service: ReadService; ms: number }> {
  const file = new URL('document.worker.ts', import.meta.url);
  const bounds = { workMs, waitMs: TOOL_DOCUMENT_WAIT_MS, memoryMib: TOOL_DOCUMENT_MEMORY_MIB };
  const outcome = await runBounded<Answered>(file, texts, bounds);
  if (outcome === 'too-large') throw refused('The document is too large to be read.');
  if (outcome === 'too-slow') throw refused(tooSlow);
  if ('refusal' in outcome.answer) throw refused(outcome.answer.refusal);
  return { service: outcome.answer.service, ms: outcome.workedMs };
}

const tooSlow = `The document takes longer than ${TOOL_DOCUMENT_READ_MS / 1000} s to be read. JSON is read faster than YAML.`;

function refused(reason: string): AppError {
  return new AppError('tool/document-refused', reason);
}
