/**
 * Keyboard users continue where they were. When the focused element leaves the page, or becomes unusable, focus moves
 * to what is in its place, unless something else takes it; an element that becomes usable again gets it back. A new
 * page starts at its beginning.
 */
interface Held {
  element: HTMLElement;
  /** A range keeps its position when its element is removed. */
  place: Range;
  page: string;
  isLost?: boolean;
}

/** By then dialogs have closed, and anything that takes focus by itself has it. */
const GONE_MS = 300;
/** A disabled element may be busy for a moment. */
const DISABLED_MS = 1000;
const BUTTONS = 'a[href], button, summary';

let held: Held | undefined;
/** The last focused element in the page, below any overlay. */
let below: Held | undefined;
/** The element that lost focus by being disabled, and the one that has it instead. */
let left: { element: HTMLElement; heir: HTMLElement } | undefined;
/** People who don't use the keyboard should not find themselves typing in a field. */
let isByKeyboard = false;
let timer: ReturnType<typeof setTimeout> | undefined;

function hold(element: EventTarget | null): void {
  if (!(element instanceof HTMLElement) || !element.isConnected) return;
  const place = document.createRange();
  place.setStartBefore(element);
  held = { element, place, page: location.pathname };
  if (element.closest('main')) below = held;
}

const isNowhere = () => document.activeElement === document.body;
const isUsable = (element: Element) =>
  element.isConnected && element.getClientRects().length > 0 && !element.matches(':disabled');

function look(): void {
  const { activeElement } = document;
  const again = isNowhere() ? held?.isLost && held.element : left?.heir === activeElement && left?.element;
  if (again && isUsable(again)) again.focus({ preventScroll: true });
  // Browsers remove focus from disabled elements a moment later.
  else if (held && (isNowhere() || activeElement === held.element) && !isUsable(held.element)) {
    held.isLost = true;
    timer ??= setTimeout(settle, held.element.matches(':disabled') ? DISABLED_MS : GONE_MS);
  }
}

function settle(): void {
  timer = undefined;
  if (!held || !isNowhere() || isUsable(held.element)) return;
  // A busy element is checked again when it is done.
  if (held.element.isConnected && held.element.matches('[data-loading]')) return;
  const { element, page } = held;
  const here = page === location.pathname ? (heirOf(held) ?? (below && heirOf(below))) : undefined;
  const heir = here ?? document.querySelector('main');
  heir?.focus({ preventScroll: heir.matches('main') });
  left = heir && element.isConnected ? { element, heir } : undefined;
}

/** The next control in the nearest part of the page that has one, otherwise the last one before it there. */
function heirOf({ element, place }: Held): HTMLElement | undefined {
  if (isUsable(element)) return element;
  const controls = isByKeyboard ? `${BUTTONS}, input, select, textarea` : BUTTONS;
  let part: Node | null = place.startContainer;
  for (; part instanceof HTMLElement && part.parentElement !== document.body; part = part.parentElement) {
    const there = [...part.querySelectorAll<HTMLElement>(controls)].filter(
      (control) => isUsable(control) && !control.matches('[tabindex="-1"], [inert] *'),
    );
    const next = there.find((control) => place.comparePoint(control, 0) > 0) ?? there.at(-1);
    if (next) return next;
    if (part.matches('main, dialog, [role="dialog"]')) return part;
  }
  return;
}

const onFocus = ({ target }: FocusEvent) => hold(target);
const onPress = ({ type, target }: Event) => {
  // A person who has moved elsewhere stays there. A focused element receives no focus event when it is pressed.
  left = undefined;
  isByKeyboard = type === 'keydown';
  if (!isByKeyboard && !held?.element.contains(target as Node)) held = undefined;
};
const observer = new MutationObserver(look);

/** Runs from the first press on; a second call has no effect. */
export function keepFocus(first: Event): void {
  onPress(first);
  const { target, type } = first;
  const pressed = target instanceof Element ? target.closest('a, button, input') : null;
  // This runs a moment after the press: focus may have moved since, into a dialog for example, or been lost with its
  // element.
  hold(pressed);
  if (!isNowhere()) hold(document.activeElement);
  if (held && type === 'keydown') held.isLost = true;
  addEventListener('focusin', onFocus);
  addEventListener('keydown', onPress, true);
  addEventListener('pointerdown', onPress, true);
  const attributeFilter = ['disabled', 'data-loading'];
  observer.observe(document, { subtree: true, childList: true, attributeFilter });
  look();
}
