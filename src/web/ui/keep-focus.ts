/**
 * A button that waits for what was pressed is disabled meanwhile, and browsers take the focus from what is. Once it can be pressed
 * again it has the focus again, where nothing else has taken it: who works by keyboard goes on where they were.
 */
let waiting: Node | null = null;

new MutationObserver((changes) => {
  for (const { target } of changes) {
    const { activeElement, body } = document;
    if (!(target instanceof HTMLButtonElement)) continue;
    if (target.disabled) waiting = target === activeElement ? target : waiting;
    else if (target === waiting) {
      if (activeElement === body) target.focus({ preventScroll: true });
      waiting = null;
    }
  }
}).observe(document, { subtree: true, attributeFilter: ['disabled'] });
