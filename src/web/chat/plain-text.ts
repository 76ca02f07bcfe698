/** A Markdown text's words for reading aloud: without markup, addresses and source numbers. */
export function plainText(markdown: string): string {
  return markdown
    .replaceAll(/<br ?\/?>/gi, ' ')
    .replaceAll(/!?\[([^[\]]*)\]\([^()]*\)/g, '$1')
    .replaceAll(/ ?\[(\d+|\^[^[\]\s]+)\]/g, '')
    .replaceAll(/[*`#>|~]|_(?![a-z\d])|(?<![a-z\d])_/gi, '')
    .trim();
}
