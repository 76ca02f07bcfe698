import { analyseBlock, type CutBlock } from './block.ts';
import { answerInProcess } from '../worker/answer-in-process.ts';

answerInProcess((block: CutBlock) => analyseBlock(block));
