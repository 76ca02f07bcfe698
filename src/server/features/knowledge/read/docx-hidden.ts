import { childrenOf, findAll, xmlTree, type XmlElement } from './xml.ts';

/** A run's mark as hidden or, switched off, as shown whatever its styles say. */
const MARK = /<w:vanish(?:\s+w:val\s*=\s*["'](\w+)["'])?\s*(?:\/>|><\/w:vanish>)/g;
/** Colors that no highlighter has: the library knows no such mark, but highlighters, which Word writes after it. */
const MARKED = { hidden: 'hidden', shown: 'shown' };

/** Levels of styles based on each other; also ends a circle. */
const LEVELS_MAX = 50;

/** The part of the library's document elements that matters here. */
interface Element {
  type: string;
  styleId?: string | null;
  highlight?: string | null;
  children?: Element[];
  body?: Element[];
  notes?: { resolve(reference: unknown): Element | null };
}

export function markHidden(xml: string): string {
  return xml.replace(MARK, (_mark, value?: string) => {
    return `<w:highlight w:val="${isOn(value) ? MARKED.hidden : MARKED.shown}"/>`;
  });
}

/** Drops what is formatted as hidden, by itself or by its styles: whoever shared the file didn't mean to show it. */
export class Hidden {
  readonly #styles = new Map<string, XmlElement>();

  /** Takes the styles of the document's part with styles. */
  addStyles(part: Uint8Array): void {
    for (const style of findAll(xmlTree(part), 'style')) {
      const key = keyOf(style.attributes['w:type'], style.attributes['w:styleId']);
      // As in Word, the first of several with one ID counts.
      if (!this.#styles.has(key)) this.#styles.set(key, style);
    }
  }

  dropFrom(document: Element): Element {
    const { notes } = document;
    const shown = this.#shown(document, false);
    return notes ? { ...shown, notes: { resolve: (to) => this.#note(notes.resolve(to)) } } : shown;
  }

  #note(note: Element | null): Element | null {
    return note && { ...note, body: note.body?.map((element) => this.#shown(element, false)) ?? [] };
  }

  #shown(element: Element, isHiddenAround: boolean): Element {
    if (!element.children) return element;
    if (element.type === 'run' && this.#hides(element, isHiddenAround)) return { ...element, children: [] };
    const isHidden =
      element.type === 'paragraph' ? this.#isHidden('paragraph', element.styleId) : isHiddenAround;
    return { ...element, children: element.children.map((child) => this.#shown(child, isHidden)) };
  }

  /** A style of characters toggles what the paragraph's style says (ECMA-376 part 1, 17.7.3). */
  #hides(run: Element, isHiddenAround: boolean): boolean {
    if (run.highlight === MARKED.hidden) return true;
    return run.highlight !== MARKED.shown && this.#isHidden('character', run.styleId) !== isHiddenAround;
  }

  #isHidden(type: 'paragraph' | 'character', id: string | null | undefined): boolean {
    let style = id ? this.#styles.get(keyOf(type, id)) : undefined;
    for (let level = 0; style && level < LEVELS_MAX; level += 1) {
      const [mark] = childrenOf(childrenOf(style, 'rPr')[0], 'vanish');
      if (mark) return isOn(mark.attributes['w:val']);
      style = this.#styles.get(keyOf(type, childrenOf(style, 'basedOn')[0]?.attributes['w:val']));
    }
    return false;
  }
}

function keyOf(type = '', id = ''): string {
  return `${type} ${id}`;
}

function isOn(value: string | undefined): boolean {
  return value === undefined || ['1', 'true', 'on'].includes(value);
}
