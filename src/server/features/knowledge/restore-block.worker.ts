import { answer } from './worker/answer.ts';
import { analyseBlock } from './block.ts';

answer(analyseBlock);
