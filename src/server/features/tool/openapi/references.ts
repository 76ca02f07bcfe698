/** Why a document can't be used, in words for the person who gave it. */
export class DocumentError extends Error {}

export type Node = Record<string, unknown>;

/** A part of a document, and the address of the document it is in. */
export interface Place {
  node: unknown;
  /** Null: it was pasted. */
  base: string | null;
}

/** A reference can lead to another; more than this many in a row are a cycle. */
const REFERENCES_IN_A_ROW_MAX = 20;

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Own properties only: a document can use a name that every object inherits. */
export function at(node: unknown, key: string): unknown {
  return typeof node === 'object' && node !== null && Object.hasOwn(node, key)
    ? (node as Node)[key]
    : undefined;
}

/**
 * Follows the references of a document and of those it refers to. Fetches nothing: what is not at hand is noted in
 * `missing` and treated as unconstrained meanwhile.
 */
export class References {
  readonly missing = new Set<string>();
  readonly #documents: ReadonlyMap<string, unknown>;
  readonly #root: unknown;

  constructor(root: unknown, documents: ReadonlyMap<string, unknown>) {
    this.#root = root;
    this.#documents = documents;
  }

  /** The value after following all references. */
  resolve(place: Place): Place {
    let found = place;
    for (let count = 0; count < REFERENCES_IN_A_ROW_MAX; count += 1) {
      const reference = at(found.node, '$ref');
      if (typeof reference !== 'string') return found;
      found = this.#lookUp(reference, found.base);
    }
    throw new DocumentError('The document has circular references.');
  }

  /** A canonical name for each place, to detect repetition. */
  nameOf(reference: string, base: string | null): string {
    const [file = '', pointer = ''] = reference.split('#', 2);
    return `${file === '' ? base : this.#addressOf(file, base)}#${pointer}`;
  }

  #lookUp(reference: string, base: string | null): Place {
    const [file = '', pointer = ''] = reference.split('#', 2);
    const address = file === '' ? base : this.#addressOf(file, base);
    const isElsewhere = file !== '' || (base !== null && this.#documents.has(base));
    if (isElsewhere && address !== null && !this.#documents.has(address)) {
      this.missing.add(address);
      return { node: {}, base: address };
    }
    const document = isElsewhere && address !== null ? this.#documents.get(address) : this.#root;
    const node = followPointer(document, pointer);
    if (node === undefined)
      throw new DocumentError(`What “${shortened(reference)}” refers to does not exist.`);
    return { node, base: address };
  }

  #addressOf(file: string, base: string | null): string {
    const url = base === null ? URL.parse(file) : URL.parse(file, base);
    if (!url)
      throw new DocumentError(
        `“${shortened(file)}” can be found only if the document is given by its address.`,
      );
    if (url.protocol !== 'http:' && url.protocol !== 'https:')
      throw new DocumentError(`“${shortened(file)}” is not a web address.`);
    return url.href;
  }
}

function followPointer(document: unknown, pointer: string): unknown {
  let node = document;
  for (const part of pointer.split('/').slice(1)) {
    const key = decode(part).replaceAll('~1', '/').replaceAll('~0', '~');
    node = at(node, key);
  }
  return node;
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export function shortened(text: string): string {
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}
