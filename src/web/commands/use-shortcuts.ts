import { useEffect } from 'react';
import { isTyping, takeFirstKey } from './first-key.ts';
import { keyOf, press, type Act } from './shortcuts.ts';
import { singleKeys } from './single-keys.ts';

/** So long after its first key a shortcut may go on. */
const SEQUENCE_MS = 1200;

/** Tells which shortcut was pressed; none is while somebody types, or while a dialog or a menu is open. */
export function useShortcuts(onAct: (act: Act) => void): void {
  useEffect(() => {
    let before: readonly string[] = [];
    let beforeAt = 0;
    const listen = (event: KeyboardEvent) => {
      const key = keyOf(event);
      if (key === '' || event.defaultPrevented || event.isComposing || event.repeat || isCovered()) return;
      if (!key.startsWith('Mod+') && (!singleKeys.get() || isTyping(event))) return;
      const isLate = event.timeStamp - beforeAt > SEQUENCE_MS;
      const { keys, act } = press(isLate ? [] : before, key);
      before = keys;
      beforeAt = event.timeStamp;
      if (!act) return;
      event.preventDefault();
      onAct(act);
    };
    const first = takeFirstKey();
    if (first) listen(first);
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, [onAct]);
}

function isCovered(): boolean {
  return document.querySelector('dialog[open], [aria-modal="true"], [role="menu"]') !== null;
}
