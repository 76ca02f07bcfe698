import katex from 'katex';
import { createElement, type ReactNode } from 'react';
import type { FormulaProps } from './formula.tsx';

/** The part of the typesetter's tree that is used here. */
interface MathNode {
  type?: string;
  text?: string;
  attributes?: Readonly<Record<string, string>>;
  children?: readonly MathNode[];
}

const ELEMENTS = new Set(
  (
    'math semantics mrow mi mn mo ms mtext mspace mfrac msqrt mroot mstyle merror mpadded mphantom menclose ' +
    'msub msup msubsup munder mover munderover mmultiscripts mtable mtr mtd mlabeledtr'
  ).split(' '),
);
const ATTRIBUTES = new Set(
  (
    'accent accentunder columnalign columnlines columnspacing depth display displaystyle fence height largeop ' +
    'linebreak linethickness lspace mathbackground mathcolor mathsize mathvariant maxsize minsize movablelimits ' +
    'notation rowlines rowspacing rspace scriptlevel separator side stretchy symmetric voffset width'
  ).split(' '),
);
const MAX_DEPTH = 60;

/** The typesetter exposes its tree before serializing it: no HTML is ever generated or parsed. */
const typesetter = katex as typeof katex & {
  __renderToDomTree: (source: string, options: katex.KatexOptions) => MathNode;
};

/** A formula as MathML, with known elements and attributes only: no links, scripts, styles or addresses. */
export function TypesetFormula({ raw, text, display }: FormulaProps) {
  const tree = typeset(text, display);
  return tree ? <>{elements(tree, 0)}</> : <code>{raw}</code>;
}

function typeset(text: string, displayMode: boolean): MathNode | null {
  try {
    return typesetter.__renderToDomTree(text, {
      displayMode,
      output: 'mathml',
      trust: false,
      strict: 'ignore',
      maxExpand: 200,
      maxSize: 20,
    });
  } catch {
    return null;
  }
}

function elements(
  { type, text, attributes = {}, children = [] }: MathNode,
  depth: number,
  key?: number,
): ReactNode {
  if (text !== undefined) return text;
  if (depth > MAX_DEPTH) return null;
  const inner = children.map((child, index) => elements(child, depth + 1, index));
  // The outermost node is a wrapper for a style sheet that is not used here.
  if (type === undefined) return inner;
  if (!ELEMENTS.has(type)) return null;
  const known = Object.entries(attributes).filter(([name]) => ATTRIBUTES.has(name));
  return createElement(type, { key, ...Object.fromEntries(known) }, ...inner);
}
