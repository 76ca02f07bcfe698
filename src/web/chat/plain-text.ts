/** The words of a Markdown text, to be heard: without its marks, addresses and the numbers of its sources. */
export function plainText(markdown: string): string {
  return markdown
    .replaceAll(/<br ?\/?>/gi, ' ')
    .replaceAll(/!?\[([^[\]]*)\]\([^()]*\)/g, '$1')
    .replaceAll(/ ?\[(\d+|\^[^[\]\s]+)\]/g, '')
    .replaceAll(/[*`#>|~]|_(?![a-z\d])|(?<![a-z\d])_/gi, '')
    .trim();
}
