import { answerInProcess } from '../worker/answer-in-process.ts';
import { read } from './readers.ts';

/** Each document has a process of its own, which loads the one reader that it needs: some of them do not bear each other. */
answerInProcess(read);
