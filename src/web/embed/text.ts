import { embedMessages } from '../messages/en-embed.ts';
import { language } from '../messages/language.ts';
import { translator } from '../messages/translate.ts';

export const t = translator(embedMessages, language);
