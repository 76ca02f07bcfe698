import TurndownService from 'turndown';

const turndown = new TurndownService({
  headingStyle: 'atx',
  codeBlockStyle: 'fenced',
  bulletListMarker: '-',
});
turndown.remove(['script', 'style', 'noscript', 'iframe', 'object', 'img', 'video', 'audio'] as never);
// Markdown's own marks inside a text would stand in the way of words: `Z\_NULL` is not what the page says.
turndown.escape = (text) => text;
turndown.addRule('emphasis', { filter: ['em', 'i', 'strong', 'b'], replacement: (content) => content });
// Code keeps its lines, and a line of it that begins with # is no heading.
turndown.addRule('preformatted', {
  filter: 'pre',
  replacement: (_content, node) =>
    `\n\n\`\`\`\n${(node.textContent ?? '').replace(/^\n+|\s+$/g, '')}\n\`\`\`\n\n`,
});
// The words of a link are knowledge, its address is not: it would only be noise to the index.
turndown.addRule('linkText', { filter: 'a', replacement: (content) => content });
turndown.addRule('tableRow', { filter: 'tr', replacement: (content) => `${content.trim()} |\n` });
turndown.addRule('tableCell', {
  filter: ['td', 'th'],
  replacement: (content) => `| ${content.trim().replace(/\s+/g, ' ')} `,
});

/** HTML as Markdown with its headings, lists, code and table rows. */
export function toMarkdown(html: string): string {
  return turndown
    .turndown(html)
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}
