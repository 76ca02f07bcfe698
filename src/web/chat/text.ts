import { chatMessages } from '../messages/en-chat.ts';
import { language } from '../messages/language.ts';
import { translator } from '../messages/translate.ts';

/** The conversation's own texts before anything was said: a page that embeds it carries no others. */
export const t = translator(chatMessages, language);
