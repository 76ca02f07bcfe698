/** The catalog's language. */
export const language = 'en';
