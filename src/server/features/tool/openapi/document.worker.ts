import { parentPort, workerData } from 'node:worker_threads';
import { readService, type DocumentTexts } from './document.ts';
import { DocumentError } from './references.ts';

/** What a thread answers, once. */
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

parentPort?.postMessage(answer());
