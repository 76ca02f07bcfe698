/**
 * The page around the widget, read past what its elements are called: `<img name="body">` takes the place of
 * `document.body`, but not of what the prototype gives.
 */
const read = <T>(name: 'body' | 'currentScript' | 'activeElement'): T =>
  Reflect.get(Document.prototype, name, document) as T;

export const currentScript = (): HTMLScriptElement | null => read('currentScript');
export const body = (): HTMLElement | null => read('body');

/** An element with these attributes and children, made without a string of HTML. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Readonly<Record<string, string>> = {},
  children: readonly (Node | string)[] = [],
): HTMLElementTagNameMap[K] {
  const made = Document.prototype.createElement.call(document, tag) as HTMLElementTagNameMap[K];
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

const SVG = 'http://www.w3.org/2000/svg';

/** A picture of 24 units a side, drawn by one line. */
export function icon(path: string): SVGElement {
  const make = (tag: string) =>
    Document.prototype.createElementNS.call(document, SVG, tag) as unknown as SVGElement;
  const svg = make('svg');
  const line = make('path');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  line.setAttribute('d', path);
  svg.append(line);
  return svg;
}
