import type { AskedText } from './question-terms.ts';
import { readQuestions } from './read-questions.ts';
import { answerInProcess } from '../worker/answer-in-process.ts';

answerInProcess(({ texts }: { texts: AskedText[] }) => readQuestions(texts));
