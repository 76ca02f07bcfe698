import { chatAnswerMessages } from '../messages/en-chat-answers.ts';
import { chatMessages } from '../messages/en-chat.ts';
import { language } from '../messages/language.ts';
import { translator } from '../messages/translate.ts';

/** The conversation's texts with those of its messages, which are not needed to write the first one. */
export const t = translator({ ...chatMessages, ...chatAnswerMessages }, language);
