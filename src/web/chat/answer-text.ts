import { chatAnswerMessages } from '../messages/en-chat-answers.ts';
import { chatMessages } from '../messages/en-chat.ts';
import { language } from '../messages/language.ts';
import { translator } from '../messages/translate.ts';

/** The conversation's texts including those for its messages, which aren't needed to write the first one. */
export const t = translator({ ...chatMessages, ...chatAnswerMessages }, language);
