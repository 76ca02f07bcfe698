import type { Nodes } from 'chat';

/** The service-specific parts of markup with `*bold*`, `_italic_` and `~struck~`. */
export interface StarMarkup {
  /** Makes any text literal. */
  escape: (text: string) => string;
  /** `label` is already escaped. */
  link: (url: string, label: string) => string;
  /** Text only: the service has no formatting. */
  isPlain?: boolean;
}

/**
 * Markdown for Slack, WhatsApp and X. Anything that is neither known formatting nor a link to a page stays text,
 * including HTML and the service's own markup. A link whose label looks like another address is shown with its real
 * one.
 */
export async function toStars(markdown: string, markup: StarMarkup): Promise<string> {
  const { parseMarkdown, tableToAscii } = await import('chat');
  return new StarWriter(markup, tableToAscii).write(parseMarkdown(markdown)).trim();
}

/**
 * These services have no escape for their formatting characters: inside text that such a character would end, a
 * lookalike replaces it.
 */
const lookalikes: Readonly<Record<string, string>> = { '*': '∗', _: '＿', '~': '∼' };

type Table = Extract<Nodes, { type: 'table' }>;
type List = Extract<Nodes, { type: 'list' }>;
type Footnote = Extract<Nodes, { type: 'footnoteReference' | 'footnoteDefinition' }>;

class StarWriter {
  private readonly markup: StarMarkup;
  private readonly drawTable: (table: Table) => string;
  /** The characters that would end the current formatting. */
  private open = '';

  constructor(markup: StarMarkup, drawTable: (table: Table) => string) {
    this.markup = markup;
    this.drawTable = drawTable;
  }

  write(node: Nodes): string {
    switch (node.type) {
      case 'root':
        return this.all(node.children, '\n\n');
      case 'heading':
        return this.formatted('*', node.children.flatMap(withoutStrong));
      case 'strong':
        return this.formatted('*', node.children);
      case 'emphasis':
        return this.formatted('_', node.children);
      case 'delete':
        return this.formatted('~', node.children);
      case 'inlineCode':
        return this.between('`', this.markup.escape(node.value));
      case 'code':
        return this.fenced(node.value);
      case 'table':
        return this.fenced(this.drawTable(node));
      case 'blockquote':
        return this.all(node.children, '\n').replace(/^/gm, '> ');
      case 'list':
        return this.list(node);
      case 'link':
        return this.link(node.url, this.all(node.children));
      case 'image':
        return this.link(node.url, this.markup.escape(node.alt ?? ''));
      case 'break':
        return '\n';
      case 'thematicBreak':
        return '———';
      case 'text':
      case 'html':
      case 'yaml':
        return this.markup.escape(this.harmless(node.value));
      case 'listItem':
        return this.all(node.children, '\n');
      case 'footnoteReference':
      case 'footnoteDefinition':
        return this.footnote(node);
      case 'imageReference':
        return this.markup.escape(node.alt ?? '');
      case 'paragraph':
      case 'linkReference':
      case 'tableRow':
      case 'tableCell':
        return this.all(node.children);
      case 'definition':
        return '';
    }
  }

  private all(nodes: Nodes[], between = ''): string {
    return nodes.map((node) => this.write(node)).join(between);
  }

  private formatted(mark: string, nodes: Nodes[]): string {
    const outer = this.open;
    this.open += this.markup.isPlain ? '' : mark;
    const text = this.all(nodes);
    this.open = outer;
    return this.between(mark, text);
  }

  private harmless(text: string): string {
    if (this.open === '') return text;
    return text.replaceAll(/[*_~]/g, (sign) =>
      this.open.includes(sign) ? (lookalikes[sign] ?? sign) : sign,
    );
  }

  private between(mark: string, text: string): string {
    return this.markup.isPlain ? text : mark + text + mark;
  }

  private fenced(text: string): string {
    return this.between('```', this.markup.isPlain ? text : `\n${this.markup.escape(text)}\n`);
  }

  /** Its mark appears at the reference and before the explanation: no service has links within a message. */
  private footnote(node: Footnote): string {
    const mark = this.markup.escape(`[${node.label ?? node.identifier}]`);
    return node.type === 'footnoteReference' ? mark : `${mark} ${this.all(node.children, '\n')}`;
  }

  private list({ children, ordered, start }: List): string {
    const lines = children.map((item, index) => {
      const mark = ordered ? `${(start ?? 1) + index}.` : '•';
      return `${mark} ${this.write(item).replaceAll('\n', '\n   ')}`;
    });
    return lines.join('\n');
  }

  private link(url: string, label: string): string {
    const { escape, link } = this.markup;
    if (!/^(https?:\/\/|mailto:)/i.test(url) || !URL.canParse(url)) return label;
    const shown = label.replaceAll('\n', ' ') || escape(url);
    return isAddressElsewhere(shown, url) ? `${shown} (${link(url, escape(url))})` : link(url, shown);
  }
}

/** A heading is bold as a whole. */
function withoutStrong(node: Nodes): Nodes[] {
  return node.type === 'strong' ? node.children : [node];
}

/** Whether a link's label pretends to lead to a site or mailbox other than the real one. */
export function isAddressElsewhere(label: string, url: string): boolean {
  const [, host] =
    /^(?:https?:\/\/)?(?:[^/@\s]*@)?((?:[\w-]+\.)+[\w-]{2,})(?=[/:?#]|$)/i.exec(label.trim()) ?? [];
  return host !== undefined && host.toLowerCase() !== new URL(url).hostname && !saysAll(label, url);
}

/** Whether a link's label makes its address redundant. */
export function saysAll(label: string, url: string): boolean {
  return label === url || `mailto:${label}` === url;
}
