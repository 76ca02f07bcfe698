import { answerInProcess } from '../worker/answer-in-process.ts';
import { read } from './readers.ts';

/** Each document gets its own process, which loads only the reader it needs: some readers are incompatible with each other. */
answerInProcess(read);
