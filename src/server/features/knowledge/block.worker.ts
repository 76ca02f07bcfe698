import { answer } from './worker/answer.ts';
import { buildBlock } from './block.ts';

answer(buildBlock);
