/** Looks of a field that takes something on each line. */
export const linksField = { autosize: true, minRows: 2, maxRows: 16, spellCheck: false } as const;
