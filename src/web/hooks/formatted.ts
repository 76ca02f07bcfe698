/** The attributes that say something beyond this page. */
const KEPT = new Set(['href', 'src', 'alt', 'start', 'colspan', 'rowspan', 'type', 'checked']);

/**
 * A text and what is shown of it, for the clipboard: programs that take formatted text get headings, lists, tables,
 * links and formulas without this page's buttons and looks; all others get the text.
 */
export function formatted(text: string, shown: Element): ClipboardItem {
  const copy = shown.cloneNode(true) as Element;
  for (const each of copy.querySelectorAll('button, figcaption, svg')) each.remove();
  for (const each of copy.querySelectorAll(':not(math, math *)'))
    for (const name of each.getAttributeNames()) if (!KEPT.has(name)) each.removeAttribute(name);
  const blob = (type: string, content: string) => new Blob([content], { type });
  return new ClipboardItem({
    'text/plain': blob('text/plain', text),
    'text/html': blob('text/html', copy.innerHTML),
  });
}
