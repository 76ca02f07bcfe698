import { buildBlock, type SourceText } from './block.ts';
import { answerInProcess } from '../worker/answer-in-process.ts';

answerInProcess(({ texts }: { texts: SourceText[] }) => buildBlock(texts));
