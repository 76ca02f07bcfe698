import { language } from '../../messages/language.ts';
import { offersMessages } from '../../messages/en-offers.ts';
import { translator } from '../../messages/translate.ts';

/** The texts for buying, loaded with what shows them and with no page before. */
export const t = translator(offersMessages, language);
