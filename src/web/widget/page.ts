/**
 * The page around the widget, read regardless of its elements' names: `<img name="body">` shadows `document.body`, but
 * not the prototype's getter.
 */
const read = <T>(name: 'body' | 'documentElement' | 'currentScript' | 'activeElement'): T =>
  Reflect.get(Document.prototype, name, document) as T;

export const currentScript = (): HTMLScriptElement | null => read('currentScript');
export const body = (): HTMLElement | null => read('body');
export const root = (): HTMLElement => read('documentElement');

type Attributes = Readonly<Record<string, string>>;
type Children = readonly (Node | string)[];
const HTML = 'http://www.w3.org/1999/xhtml';
const SVG = 'http://www.w3.org/2000/svg';

/** An element with these attributes and children, built without an HTML string. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes?: Attributes,
  children?: Children,
): HTMLElementTagNameMap[K];
export function element(tag: string, attributes: Attributes, children: Children, namespace: string): Element;
export function element(
  tag: string,
  attributes: Attributes = {},
  children: Children = [],
  namespace = HTML,
): Element {
  const made = Document.prototype.createElementNS.call(document, namespace, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/** An icon of 24 by 24 units, drawn with a single path. */
export function icon(path: string): Element {
  const line = element('path', { d: path }, [], SVG);
  return element('svg', { viewBox: '0 0 24 24', 'aria-hidden': 'true' }, [line], SVG);
}
