import type { Token } from 'marked';
import { memo, useId, useMemo } from 'react';
import type { Citation } from '../../../contract/chat.ts';
import { Block } from './block.tsx';
import { Numbering } from './footnote-link.tsx';
import { FootnoteList } from './footnote-list.tsx';
import { footnotesOf } from './footnotes.ts';
import style from './markdown.module.css';
import { parseMarkdown } from './parse.ts';

export interface CitationProps {
  citations: readonly Citation[];
  onCite: (citation: Citation) => void;
}

/** Without `citations` the text cites nothing: a passage, a guide. */
interface MarkdownProps extends Partial<CitationProps> {
  text: string;
}

const NONE: CitationProps['citations'] = [];
const cite = () => undefined;

/**
 * Renders untrusted Markdown. It is built from elements, never from HTML text: tags are shown literally, links lead
 * only to allowed schemes, and no image from another host is loaded.
 */
export function Markdown({ text, citations = NONE, onCite = cite }: MarkdownProps) {
  const blocks = useMemo(() => parseMarkdown(text), [text]);
  const footnotes = useMemo(() => footnotesOf(blocks), [blocks]);
  const id = useId();
  const labels = footnotes.map(({ label }) => label).join(' ');
  const numbered = useMemo(() => ({ labels: labels.split(' '), id }), [labels, id]);
  return (
    <Numbering value={numbered}>
      <div className={style['markdown']}>
        {blocks.map((token, index) => (
          // While a text grows, all but its last blocks stay the same and are not rerendered.
          <MemoBlock key={index} token={token} citations={citations} onCite={onCite} />
        ))}
        {footnotes.length > 0 && <FootnoteList footnotes={footnotes} citations={citations} onCite={onCite} />}
      </div>
    </Numbering>
  );
}

interface BlockProps extends CitationProps {
  token: Token;
}

const MemoBlock = memo(
  ({ token, citations, onCite }: BlockProps) => (
    <Block token={token} depth={0} citations={citations} onCite={onCite} />
  ),
  (before, after) =>
    before.token.type === after.token.type &&
    before.token.raw === after.token.raw &&
    before.citations === after.citations,
);
