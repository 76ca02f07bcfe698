import { answerFromThread } from '../../../threads/thread-answer.ts';
import { readService, type DocumentTexts, type ReadService } from './document.ts';
import { DocumentError } from './references.ts';

/** A thread's answer. */
export type Answered = { service: ReadService } | { refusal: string };

function answer(texts: DocumentTexts): Answered {
  try {
    return { service: readService(texts) };
  } catch (error) {
    if (error instanceof DocumentError) return { refusal: error.message };
    // An endlessly nested document, and the like.
    return { refusal: 'The document cannot be read.' };
  }
}

await answerFromThread(answer);
