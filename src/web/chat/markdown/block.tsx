import type { MarkedToken, Token, Tokens } from 'marked';
import { t } from '../answer-text.ts';
import { CodeBlock } from './code-block.tsx';
import { UnusedFootnote } from './footnote-link.tsx';
import type { Footnote } from './footnotes.ts';
import { Formula } from './formula.tsx';
import { Inline } from './inline.tsx';
import type { CitationProps } from './markdown.tsx';
import type { MathToken } from './math-tokens.ts';
import { MAX_DEPTH } from './parse.ts';
import { Table } from './table.tsx';

export interface TokenProps extends CitationProps {
  token: Token;
  depth: number;
}

/** One block of a message. */
export function Block({ token, depth, ...cite }: TokenProps) {
  if (depth > MAX_DEPTH) return <p>{token.raw}</p>;
  const known = token as MarkedToken | MathToken | Footnote;
  const inner = { depth: depth + 1, ...cite };
  const dir = depth === 0 ? 'auto' : undefined;
  switch (known.type) {
    case 'space':
    case 'def':
      return null;
    case 'heading':
      return <Heading token={known} inner={inner} />;
    case 'code':
      return <CodeBlock code={known.text} language={known.lang ?? ''} />;
    case 'blockquote':
      return <Quote tokens={known.tokens} dir={dir} inner={inner} />;
    case 'list':
      return <List token={known} dir={dir} inner={inner} />;
    case 'table':
      return <Table table={known} dir={dir} {...inner} />;
    case 'math':
      return <Formula raw={known.raw} text={known.text} display={known.display} />;
    case 'footnote':
      return <UnusedFootnote footnote={known} />;
    case 'hr':
      return <hr />;
    case 'paragraph':
      return (
        <p>
          <Inline tokens={known.tokens} {...inner} />
        </p>
      );
    case 'text':
      return known.tokens ? <Inline tokens={known.tokens} {...inner} /> : <p>{known.text}</p>;
    case 'html':
    case 'br':
    case 'checkbox':
    case 'codespan':
    case 'del':
    case 'em':
    case 'escape':
    case 'image':
    case 'link':
    case 'list_item':
    case 'strong':
      // Tags are shown literally; the other types never occur on their own.
      return <p>{token.raw}</p>;
  }
}

type Inner = Omit<TokenProps, 'token'>;

export function Blocks({ tokens, ...inner }: Inner & { tokens: Token[] }) {
  return tokens.map((token, index) => <Block key={index} token={token} {...inner} />);
}

/** A message is part of a page: its headings start below the page's own. */
function Heading({ token, inner }: { token: Tokens.Heading; inner: Inner }) {
  const Level = `h${Math.min(token.depth + 2, 6)}` as 'h3' | 'h4' | 'h5' | 'h6';
  return (
    <Level>
      <Inline tokens={token.tokens} {...inner} />
    </Level>
  );
}

function Quote({ tokens, dir, inner }: { tokens: Token[]; dir: string | undefined; inner: Inner }) {
  return (
    <blockquote dir={dir}>
      <Blocks tokens={tokens} {...inner} />
    </blockquote>
  );
}

function List({ token, dir, inner }: { token: Tokens.List; dir: string | undefined; inner: Inner }) {
  const items = token.items.map((item, index) => (
    <li key={index} data-task={item.task}>
      {item.task && (
        <input
          type="checkbox"
          aria-label={t('chat.task')}
          checked={item.checked === true}
          disabled
          readOnly
        />
      )}
      <Blocks tokens={item.tokens.filter(({ type }) => type !== 'checkbox')} {...inner} />
    </li>
  ));
  if (!token.ordered) return <ul dir={dir}>{items}</ul>;
  return (
    <ol dir={dir} start={token.start === '' ? 1 : token.start}>
      {items}
    </ol>
  );
}
