/** The language that the texts of the catalogue are in. */
export const language = 'en';
