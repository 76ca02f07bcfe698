/**
 * Who works by keyboard goes on where they were. When what has the focus leaves the page, or cannot be used any more, the focus goes to
 * what is in its place, unless something else takes it; what can be used again has it again. Another page begins at its beginning.
 */
interface Held {
  element: HTMLElement;
  /** A range stays where it is when what was there leaves. */
  place: Range;
  page: string;
  isLost?: boolean;
}

/** By then dialogs have closed, and what takes the focus by itself has it. */
const GONE_MS = 300;
/** What is disabled may be at work for a moment. */
const DISABLED_MS = 1000;
const BUTTONS = 'a[href], button, summary';

let held: Held | undefined;
/** What was held last in the page, under what is open over it. */
let below: Held | undefined;
/** What was left because it was disabled, and where the focus is instead. */
let left: { element: HTMLElement; heir: HTMLElement } | undefined;
/** Who does not work by keyboard does not find themselves writing in a field. */
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
  // Browsers take the focus from what is disabled a moment later.
  else if (held && (isNowhere() || activeElement === held.element) && !isUsable(held.element)) {
    held.isLost = true;
    timer ??= setTimeout(settle, held.element.matches(':disabled') ? DISABLED_MS : GONE_MS);
  }
}

function settle(): void {
  timer = undefined;
  if (!held || !isNowhere() || isUsable(held.element)) return;
  // What is at work is looked at again when it is done.
  if (held.element.isConnected && held.element.matches('[data-loading]')) return;
  const { element, page } = held;
  const here = page === location.pathname ? (heirOf(held) ?? (below && heirOf(below))) : undefined;
  const heir = here ?? document.querySelector('main');
  heir?.focus({ preventScroll: heir.matches('main') });
  left = heir && element.isConnected ? { element, heir } : undefined;
}

/** The next control in the nearest part of the page that has one, else the last before it there. */
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
  // Who goes on elsewhere stays there. What has the focus does not get it when it is pressed.
  left = undefined;
  isByKeyboard = type === 'keydown';
  if (!isByKeyboard && !held?.element.contains(target as Node)) held = undefined;
};
const observer = new MutationObserver(look);

/** From the first press on; asked for twice it does it once. */
export function keepFocus(first: Event): void {
  onPress(first);
  const { target, type } = first;
  const pressed = target instanceof Element ? target.closest('a, button, input') : null;
  // This comes a moment after the press: the focus has gone on since, say into a dialog, or was lost with where it went.
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
