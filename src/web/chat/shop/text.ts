import { language } from '../../messages/language.ts';
import { offersMessages } from '../../messages/en-offers.ts';
import { translator } from '../../messages/translate.ts';

/** The texts of buying, which come with what shows them and with no page before. */
export const t = translator(offersMessages, language);
