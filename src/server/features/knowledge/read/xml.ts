import { Parser } from 'htmlparser2';
import { UnreadableError } from './document.ts';
import { XML_DEPTH_MAX, XML_TREE_MAX_ELEMENTS } from './limits.ts';

interface XmlHandlers {
  /** Element names come without their prefix, which is up to the writer; attributes keep theirs. */
  open?(name: string, attributes: Record<string, string>): void;
  text?(text: string): void;
  close?(name: string): void;
}

/** Decoding in pieces avoids holding a large part twice. */
const PIECE_BYTES = 64 * 1024;

/**
 * Reads XML front to back. The document may declare nothing: custom entities, the files and addresses they would be
 * read from, and unlimited nesting are rejected; XML's five entities and numeric characters are read. Errors:
 * `UnreadableError`, and whatever a handler throws.
 */
export function scanXml(data: Uint8Array, handlers: XmlHandlers): void {
  let depth = 0;
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        depth += 1;
        if (depth > XML_DEPTH_MAX) throw refused();
        handlers.open?.(localName(name), attributes);
      },
      ontext: (text) => handlers.text?.(text),
      onclosetag: (name) => {
        depth -= 1;
        handlers.close?.(localName(name));
      },
      onprocessinginstruction: (_name, instruction) => {
        if (/^!DOCTYPE[^]*(?:\[|ENTITY)|^!ENTITY/i.test(instruction)) throw refused();
      },
    },
    { xmlMode: true },
  );
  const decoder = new TextDecoder(encodingOf(data));
  for (let at = 0; at < data.length; at += PIECE_BYTES)
    parser.write(decoder.decode(data.subarray(at, at + PIECE_BYTES), { stream: true }));
  parser.end(decoder.decode());
}

export interface XmlElement {
  name: string;
  attributes: Record<string, string>;
  children: (XmlElement | string)[];
}

/** A small part as a tree, under an unnamed root. */
export function xmlTree(data: Uint8Array): XmlElement {
  const root: XmlElement = { name: '', attributes: {}, children: [] };
  const path = [root];
  let elements = 0;
  scanXml(data, {
    open: (name, attributes) => {
      elements += 1;
      if (elements > XML_TREE_MAX_ELEMENTS) throw refused();
      const element = { name, attributes, children: [] };
      path.at(-1)?.children.push(element);
      path.push(element);
    },
    text: (text) => path.at(-1)?.children.push(text),
    close: () => path.pop(),
  });
  return root;
}

/** The direct child elements of that name. */
export function childrenOf(element: XmlElement | undefined, name: string): XmlElement[] {
  return elementsOf(element).filter((child) => child.name === name);
}

export function elementsOf(element: XmlElement | undefined): XmlElement[] {
  return (element?.children ?? []).filter((child) => typeof child !== 'string');
}

/** Every descendant element of that name, in order, without any nested in another match. */
export function findAll(element: XmlElement | undefined, name: string): XmlElement[] {
  return elementsOf(element).flatMap((child) => (child.name === name ? [child] : findAll(child, name)));
}

export function findFirst(element: XmlElement | undefined, name: string): XmlElement | undefined {
  for (const child of elementsOf(element)) {
    const found = child.name === name ? child : findFirst(child, name);
    if (found) return found;
  }
  return undefined;
}

export function textOf(element: XmlElement | undefined): string {
  return (element?.children ?? [])
    .map((child) => (typeof child === 'string' ? child : textOf(child)))
    .join('');
}

export function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

function encodingOf(data: Uint8Array): string {
  if (data[0] === 0xff && data[1] === 0xfe) return 'utf-16le';
  if (data[0] === 0xfe && data[1] === 0xff) return 'utf-16be';
  const head = Buffer.from(data.subarray(0, 200)).toString('latin1');
  const declared = /^<\?xml[^>]+encoding=["']([\w-]+)/.exec(head)?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(declared).encoding;
  } catch {
    return 'utf-8';
  }
}

function refused(): UnreadableError {
  return new UnreadableError('This file has a structure that cannot be read.');
}
