import { parentPort, workerData } from 'node:worker_threads';
import { readService, type DocumentTexts } from './document.ts';
import { DocumentError } from './references.ts';

/** How much of the processor it took to start: that is no fault of the document. */
export interface Begun {
  startMs: number;
}
/** What a thread answers, once, after that. */
export type Answered = { service: ReturnType<typeof readService> } | { refusal: string };

function answer(): Answered {
  try {
    return { service: readService(workerData as DocumentTexts) };
  } catch (error) {
    if (error instanceof DocumentError) return { refusal: error.message };
    // A document that is nested without end, and the like.
    return { refusal: 'The document cannot be read.' };
  }
}

const { user, system } = process.threadCpuUsage();
parentPort?.postMessage({ startMs: (user + system) / 1000 } satisfies Begun);
parentPort?.postMessage(answer());
