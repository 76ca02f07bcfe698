import { isTag, isText, type AnyNode, type Element } from 'domhandler';
import { childrenNamed, gridOf, hasHeader, isLayout } from './html-table.ts';
import { htmlTree } from './html-tree.ts';
import { addressInFile, type AddressAfter } from './link-address.ts';
import { looksNamed, rowOf, writeTable } from './table.ts';

const dropped = new Set(
  'head script style noscript template iframe object svg canvas img video audio'.split(' '),
);
const blocks = new Set(
  'address article aside blockquote body center dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr html legend main nav ol optgroup option p pre section select summary table ul'.split(
    ' ',
  ),
);
/** Adjacent without a space between them. */
const controls = new Set(['button', 'input', 'label', 'textarea']);
const LINE = 1;
const PARAGRAPH = 2;
/** Deeper lists are indented no further. */
const INDENTED_LISTS_MAX = 6;

/** A file's HTML as Markdown with its headings, lists, code, table rows and link addresses; pictures are left out. */
export function toMarkdown(html: string): string {
  return markdownOf(htmlTree(html).root().toArray(), new Set(), addressInFile);
}

/** The nodes' text, without those to skip, and with those addresses after links. Runs in time linear in their size. */
export function markdownOf(nodes: AnyNode[], skipped: ReadonlySet<AnyNode>, address: AddressAfter): string {
  const writer = new Writer(skipped, address);
  for (const node of nodes) writer.write(node);
  return writer.toString();
}

class Writer {
  private readonly pieces: string[] = [];
  private readonly skipped: ReadonlySet<AnyNode>;
  private readonly address: AddressAfter;
  /** Line breaks owed before the next word; none before the first. */
  private owed = 0;
  private space = false;
  /** Of a list item without any text yet. */
  private marker = '';
  private lists = 0;

  constructor(skipped: ReadonlySet<AnyNode>, address: AddressAfter) {
    this.skipped = skipped;
    this.address = address;
  }

  toString(): string {
    return this.pieces.join('').trim();
  }

  write(node: AnyNode): void {
    if (this.skipped.has(node)) return;
    if (isText(node)) this.text(node.data);
    else if (isTag(node)) this.element(node);
    else if ('children' in node) this.children(node.children);
  }

  private element(element: Element): void {
    const name = element.name.toLowerCase();
    if (dropped.has(name)) return;
    const gap = this.lists > 0 ? LINE : PARAGRAPH;
    if (blocks.has(name)) this.part(gap);
    if (controls.has(name)) this.space = true;
    this.content(element, name);
    if (blocks.has(name)) this.part(gap);
    if (controls.has(name)) this.space = true;
  }

  private content(element: Element, name: string): void {
    if (/^h[1-6]$/.test(name)) this.heading(element, Number(name[1]));
    else if (name === 'pre') this.code(element);
    else if (name === 'table') this.table(element);
    else if (name === 'br') this.part(LINE);
    else if (name === 'a') this.link(element);
    else if (isList(name)) this.list(element);
    else if (name === 'input') this.text(captionOf(element));
    else this.children(element.children);
  }

  private children(nodes: AnyNode[]): void {
    for (const node of nodes) this.write(node);
  }

  private text(text: string): void {
    const said = text.replace(/\s+/g, ' ');
    const words = said.trim();
    if (said.startsWith(' ')) this.space = true;
    if (words === '') return;
    this.raw(words);
    this.space = said.endsWith(' ');
  }

  /** Verbatim text, after any breaks, marker or space that are owed. */
  private raw(text: string): void {
    const isStart = this.owed > 0 || this.pieces.length === 0;
    if (isStart) this.pieces.push('\n'.repeat(this.owed), this.indent());
    else if (this.space) this.pieces.push(' ');
    this.pieces.push(this.marker, text);
    this.owed = 0;
    this.space = false;
    this.marker = '';
  }

  /** Text whose meaning depends on being at the start of a line: headings and code. */
  private bare(text: string): void {
    this.pieces.push('\n'.repeat(this.owed), text);
    this.owed = 0;
    this.marker = '';
  }

  private part(lines: number): void {
    this.space = false;
    if (this.pieces.length > 0) this.owed = Math.max(this.owed, lines);
  }

  private indent(): string {
    const depth = Math.min(this.lists, INDENTED_LISTS_MAX);
    return '  '.repeat(Math.max(0, this.marker ? depth - 1 : depth));
  }

  private link(element: Element): void {
    this.children(element.children);
    const href = element.attribs['href'];
    if (!href) return;
    const words = textOf(element, this.skipped).trim();
    const address = this.address(words, href);
    if (address !== '') this.text(words === '' ? address : ` (${address})`);
  }

  private heading(element: Element, level: number): void {
    const words = this.line(element);
    if (words !== '') this.bare(`${'#'.repeat(level)} ${words}`);
  }

  /** Code keeps its lines, and a line of it that starts with # isn't a heading. */
  private code(element: Element): void {
    const code = textOf(element, this.skipped).replace(/^\n+/, '').trimEnd();
    if (code !== '') this.bare(`\`\`\`\n${code}\n\`\`\``);
  }

  private list(element: Element): void {
    let number = 0;
    if (element.name === 'optgroup') this.text(element.attribs['label'] ?? '');
    this.lists += 1;
    for (const item of element.children) {
      this.part(LINE);
      if (isTag(item) && (item.name === 'li' || item.name === 'option')) {
        number += 1;
        this.marker = element.name === 'ol' ? `${number}. ` : '- ';
      }
      this.write(item);
    }
    this.marker = '';
    this.lists -= 1;
  }

  private table(element: Element): void {
    if (isLayout(element)) {
      this.layout(element);
      return;
    }
    for (const caption of childrenNamed(element, 'caption')) {
      this.children(caption.children);
      this.part(PARAGRAPH);
    }
    const rows = gridOf(element, (cell) => (this.skipped.has(cell) ? '' : this.line(cell)));
    const isNamed = hasHeader(element) || looksNamed(rows);
    const text = isNamed
      ? writeTable(rows)
      : rows
          .filter((row) => row.some(Boolean))
          .map(rowOf)
          .join('\n');
    if (text !== '') this.raw(text);
  }

  /** A table used only for layout isn't a table. */
  private layout(element: Element): void {
    for (const child of element.children) {
      const isCell = isTag(child) && ['td', 'th', 'caption'].includes(child.name);
      if (this.skipped.has(child)) continue;
      if (isTag(child) && !isCell && /^(?:t[rh]|tbody|thead|tfoot)/.test(child.name)) this.layout(child);
      else {
        this.part(PARAGRAPH);
        if (isCell) this.children(child.children);
        else this.write(child);
      }
    }
  }

  private line(element: Element): string {
    return markdownOf(element.children, this.skipped, this.address).replace(/\s+/g, ' ');
  }
}

function isList(name: string): boolean {
  return name === 'ul' || name === 'ol' || name === 'select' || name === 'optgroup';
}

/** The caption of a form's button; other fields say nothing about the page. */
function captionOf({ attribs }: Element): string {
  return /^(?:submit|button)$/i.test(attribs['type'] ?? '') ? (attribs['value'] ?? '') : '';
}

function textOf(node: AnyNode, skipped: ReadonlySet<AnyNode>): string {
  if (skipped.has(node)) return '';
  if (isText(node)) return node.data;
  if (isTag(node) && node.name === 'br') return '\n';
  return 'children' in node ? node.children.map((child) => textOf(child, skipped)).join('') : '';
}
