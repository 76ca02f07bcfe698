import { readQuestions } from './read-questions.ts';
import { answer } from './worker/answer.ts';

answer(readQuestions);
