/** Layout of a field with one entry per line. */
export const linksField = { autosize: true, minRows: 2, maxRows: 16, spellCheck: false } as const;
