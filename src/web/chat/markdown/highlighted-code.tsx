import bash from 'highlight.js/lib/languages/bash';
import c from 'highlight.js/lib/languages/c';
import cpp from 'highlight.js/lib/languages/cpp';
import csharp from 'highlight.js/lib/languages/csharp';
import css from 'highlight.js/lib/languages/css';
import diff from 'highlight.js/lib/languages/diff';
import go from 'highlight.js/lib/languages/go';
import java from 'highlight.js/lib/languages/java';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import markdown from 'highlight.js/lib/languages/markdown';
import php from 'highlight.js/lib/languages/php';
import python from 'highlight.js/lib/languages/python';
import ruby from 'highlight.js/lib/languages/ruby';
import rust from 'highlight.js/lib/languages/rust';
import sql from 'highlight.js/lib/languages/sql';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';
import { createLowlight } from 'lowlight';
import type { ReactNode } from 'react';

export interface CodeProps {
  code: string;
  /** As named in the text. */
  language: string;
}

const lowlight = createLowlight({
  bash,
  c,
  cpp,
  csharp,
  css,
  diff,
  go,
  java,
  javascript,
  json,
  markdown,
  php,
  python,
  ruby,
  rust,
  sql,
  typescript,
  xml,
  yaml,
});

/** Longer code is shown without highlighting: it would be parsed anew with each chunk. */
const MAX_CHARACTERS = 20_000;

/** Syntax-highlighted code; plain if its language is unknown. */
export function HighlightedCode({ code, language }: CodeProps) {
  return pieces(code, language)?.map(piece) ?? code;
}

function pieces(code: string, language: string): Node[] | null {
  if (code.length > MAX_CHARACTERS || !lowlight.registered(language)) return null;
  try {
    return lowlight.highlight(language, code).children;
  } catch {
    return null;
  }
}

type Node = ReturnType<typeof lowlight.highlight>['children'][number];

function piece(node: Node, index: number): ReactNode {
  if (node.type === 'text') return node.value;
  if (node.type !== 'element') return null;
  return (
    <span key={index} data-kind={kindOf(node.properties['className'])}>
      {node.children.map(piece)}
    </span>
  );
}

/** `hljs-title function_` is a title. */
function kindOf(classes: unknown): string | undefined {
  const [first] = Array.isArray(classes) ? classes : [];
  return typeof first === 'string' ? first.replace('hljs-', '') : undefined;
}
