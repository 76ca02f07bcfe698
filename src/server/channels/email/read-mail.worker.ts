import { answerFromThread } from '../../threads/thread-answer.ts';
import { readMail } from './read-mail.ts';

await answerFromThread((raw: Uint8Array | string) => readMail(raw).catch(() => undefined));
