import { chatMessages } from '../messages/en-chat.ts';
import { language } from '../messages/language.ts';
import { translator } from '../messages/translate.ts';

/** The conversation's texts from before anything is said: a page that embeds it loads no others. */
export const t = translator(chatMessages, language);
