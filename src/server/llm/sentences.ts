import type { PromptPassage } from './passages.ts';

/** The unit of a passage for quoting. */
export interface Sentence {
  text: string;
  /** Which paragraph, list item, table row or code block it belongs to: parts of the same one share a number. */
  block: number;
  kind: 'prose' | 'item' | 'row' | 'code';
}

/** The text under one heading. */
export interface Section {
  passage: PromptPassage;
  /** Empty if there is none. */
  heading: string;
  sentences: Sentence[];
}

interface Block {
  kind: Sentence['kind'] | 'heading';
  text: string;
}

/** A sentence shorter than this is merged with the next one. */
const SHORT_SENTENCE_CHARACTERS = 60;

const headingLine = /^#{1,6}\s(.*)$/;
const listItem = /^\s*(?:[-*+]|\d+[.)])\s+/;
const tableRow = /^\s*\|/;
const ruleMarks = /^[\s:|-]+$/;
const fence = /^\s*(?:```|~~~)/;
/** A link within the document's own site; in a quote it would lead nowhere. */
const relativeLink = /\[([^[\]]{1,200})\]\((?![a-z]{1,20}:)[^()\s]{1,500}\)/g;
const saysSomething = /[\p{L}\p{N}]/u;

/** Splits a passage by its headings. Text above the first one belongs to the heading the passage is from. */
export function sectionsOf(passage: PromptPassage): Section[] {
  const sections: Section[] = [{ passage, heading: headingOf(passage), sentences: [] }];
  blocksOf(passage.text).forEach((block, index) => {
    if (block.kind === 'heading') sections.push({ passage, heading: block.text, sentences: [] });
    else sections.at(-1)?.sentences.push(...sentencesOf(block, index));
  });
  return sections.filter(({ sentences }) => sentences.length > 0);
}

/** The last of its headings: a place looks like `A › B, page 3`. */
function headingOf({ place }: PromptPassage): string {
  return (place.split(' › ').at(-1) ?? '').replace(/(?:^|, )page \d+$/, '');
}

function sentencesOf({ kind, text }: Block, block: number): Sentence[] {
  if (kind === 'heading' || !saysSomething.test(text)) return [];
  if (kind === 'code') return [{ text, block, kind }];
  const plain = text.replace(/^>\s?/gm, '').replace(relativeLink, '$1').replace(/\s+/g, ' ').trim();
  const sentences = plain.split(/(?<=[.!?。！？])\s+(?=\S)|(?<=[。！？])/u);
  return joinShort(sentences).map((sentence) => ({ text: sentence, block, kind }));
}

/** Headings, list items, table rows and code stand alone; other lines form a block up to the next empty one. */
function blocksOf(markdown: string): Block[] {
  const blocks: Block[] = [];
  let open: Block | undefined;
  for (const line of markdown.split(/\n|\f/)) {
    if (open?.kind === 'code') {
      open.text += `\n${line}`;
      if (fence.test(line)) open = undefined;
    } else if (open && line.trim() !== '' && blockOf(line).kind === 'prose') open.text += `\n${line}`;
    else if (line.trim() === '') open = undefined;
    else if (isTableRule(line)) {
      // A table's header row says nothing by itself.
      if (blocks.at(-1)?.kind === 'row') blocks.pop();
    } else {
      const block = blockOf(line);
      blocks.push(block);
      open = block.kind === 'heading' || block.kind === 'row' ? undefined : block;
    }
  }
  return blocks;
}

/** The line between a table's header and its rows. */
function isTableRule(line: string): boolean {
  return line.includes('|') && line.includes('-') && ruleMarks.test(line);
}

function blockOf(line: string): Block {
  const heading = headingLine.exec(line)?.[1];
  if (heading !== undefined) return { kind: 'heading', text: heading.trim() };
  if (fence.test(line)) return { kind: 'code', text: line };
  if (tableRow.test(line)) return { kind: 'row', text: cellsOf(line) };
  if (listItem.test(line)) return { kind: 'item', text: line.replace(listItem, '') };
  return { kind: 'prose', text: line };
}

/** `| a | b | c |` reads `a: b, c`; if the cells label themselves, as in `| A: 1 | B: 2 |`, it reads `A: 1, B: 2`. */
function cellsOf(row: string): string {
  const [first = '', ...others] = row
    .split('|')
    .map((cell) => cell.trim())
    .filter(Boolean);
  if (others.length === 0) return first;
  return `${first}${first.includes(': ') ? ', ' : ': '}${others.join(', ')}`;
}

function joinShort(sentences: string[]): string[] {
  const joined: string[] = [];
  for (const sentence of sentences) {
    const previous = joined.at(-1);
    if (previous !== undefined && previous.length < SHORT_SENTENCE_CHARACTERS)
      joined[joined.length - 1] = `${previous} ${sentence}`;
    else joined.push(sentence);
  }
  return joined;
}
