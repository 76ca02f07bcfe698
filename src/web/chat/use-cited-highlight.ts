import { useEffect, useRef } from 'react';
import { highlightText } from '../ui/highlight-text.ts';
import { claimsOn, sentencesBehind } from './cited-sentences.ts';

/**
 * A ref for the element that shows the passage with this number: the sentences that the answer took from it are
 * highlighted, and the first of them is scrolled to.
 */
export function useCitedHighlight(number: number, answer: string) {
  const shown = useRef<HTMLQuoteElement>(null);
  useEffect(() => {
    const element = shown.current;
    if (!element) return;
    const claims = claimsOn(number, answer);
    // As named in passage-panel.module.css.
    const highlight = () => highlightText(element, 'cited', (text) => sentencesBehind(claims, text));
    let { first, remove } = highlight();
    if (first) scrollTo(element, first);
    // Code and formulas are rendered again when what highlights or typesets them has loaded.
    const changes = new MutationObserver(() => {
      remove();
      ({ remove } = highlight());
    });
    changes.observe(element, { childList: true, subtree: true, characterData: true });
    return () => {
      changes.disconnect();
      remove();
    };
  }, [number, answer]);
  return shown;
}

/** Brings the range into the upper third of the element, unless all of it is visible anyway. */
function scrollTo(element: HTMLElement, range: Range): void {
  const [box, place] = [element.getBoundingClientRect(), range.getBoundingClientRect()];
  if (place.bottom <= box.bottom) return;
  element.scrollTop += place.top - box.top - box.height / 3;
}
