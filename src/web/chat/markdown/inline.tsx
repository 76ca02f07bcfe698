import type { MarkedToken, Token } from 'marked';
import { useContext, type ReactNode } from 'react';
import { linkAddress } from './address.ts';
import type { TokenProps } from './block.tsx';
import { CitedText } from './cited-text.tsx';
import { FootnoteLink } from './footnote-link.tsx';
import type { FootnoteMark } from './footnotes.ts';
import { Formula } from './formula.tsx';
import type { MathToken } from './math-tokens.ts';
import { OwnLinks } from './own-links.ts';
import { MAX_DEPTH } from './parse.ts';
import { Picture } from './picture.tsx';

type InlineProps = Omit<TokenProps, 'token'> & { tokens: Token[] };

/** The only tag not shown literally: in a table cell there is no other way to break a line. */
const isBreak = ({ type, raw }: Token) => type === 'br' || (type === 'html' && /^<br ?\/?>$/i.test(raw));

/** The inline content of a block. */
export function Inline({ tokens, ...rest }: InlineProps) {
  return tokens.map((token, index) => <Piece key={index} token={token} {...rest} />);
}

/** Blocks never occur inside a line: they are shown literally. */
function Piece({ token, depth, ...cite }: TokenProps): ReactNode {
  if (depth > MAX_DEPTH) return token.raw;
  if (isBreak(token)) return <br />;
  const known = token as MarkedToken | MathToken | FootnoteMark;
  const inner = { depth: depth + 1, ...cite };
  switch (known.type) {
    case 'strong':
    case 'em':
    case 'del':
      return (
        <known.type>
          <Inline tokens={known.tokens} {...inner} />
        </known.type>
      );
    case 'codespan':
      return <code>{known.text}</code>;
    case 'link':
      return (
        <TextLink href={known.href} title={known.title}>
          <Inline tokens={known.tokens} {...inner} />
        </TextLink>
      );
    case 'image':
      return <Picture href={known.href} text={known.text} />;
    case 'math':
      return <Formula raw={known.raw} text={known.text} display={known.display} />;
    case 'footnoteMark':
      return <FootnoteLink mark={known} />;
    case 'escape':
      return known.text;
    case 'text':
      if (known.tokens) return <Inline tokens={known.tokens} {...inner} />;
      return <CitedText text={decodeEntities(known.text)} {...cite} />;
    case 'br':
    case 'checkbox':
    case 'def':
    case 'space':
      return null;
    case 'html':
    case 'blockquote':
    case 'code':
    case 'heading':
    case 'hr':
    case 'list':
    case 'list_item':
    case 'paragraph':
    case 'table':
      return token.raw;
  }
}

interface TextLinkProps {
  href: string;
  title?: string | null | undefined;
  children: ReactNode;
}

/** Shows the target on hover, whatever the link text says. */
function TextLink({ href, title, children }: TextLinkProps) {
  const own = useContext(OwnLinks)(href, children);
  if (own !== null) return own;
  const address = linkAddress(href);
  if (!address) return children;
  const { host } = new URL(address);
  return (
    <a
      href={address}
      title={[title, host].filter(Boolean).join(' – ')}
      target="_blank"
      rel="noopener noreferrer nofollow"
    >
      {children}
    </a>
  );
}

const entities: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  mdash: '—',
  ndash: '–',
  hellip: '…',
  rarr: '→',
  times: '×',
  deg: '°',
  copy: '©',
  euro: '€',
};

/** The few entities that models use. */
function decodeEntities(text: string): string {
  return text.replaceAll(/&(?:#(\d{1,6})|#x([\da-f]{1,5})|([a-z]{2,6}));/gi, (all, decimal, hex, named) => {
    if (named) return entities[String(named).toLowerCase()] ?? all;
    const code = decimal ? Number(decimal) : Number.parseInt(String(hex), 16);
    return code > 31 && code <= 0x10ffff ? String.fromCodePoint(code) : all;
  });
}
