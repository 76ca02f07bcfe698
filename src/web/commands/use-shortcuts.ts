import { useEffect } from 'react';
import { asked } from './asked.ts';
import { isCharacter, isTyping, takeFirstKeys } from './first-key.ts';
import { opened } from './opened.ts';
import { keyOf, press, type Act } from './shortcuts.ts';
import { singleKeys } from './single-keys.ts';

/** How long after its first key a shortcut may continue. */
const SEQUENCE_MS = 1200;

/** Reports pressed shortcuts; none while somebody types, or while a dialog or a menu is open. */
export function useShortcuts(onAct: (act: Act) => void): void {
  useEffect(() => {
    let before: readonly string[] = [];
    let beforeAt = 0;
    const listen = (event: KeyboardEvent) => {
      if (isPaletteComing()) return typeAhead(event);
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
    for (const event of takeFirstKeys()) listen(event);
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, [onAct]);
}

/** It was requested, and its code is loading. */
function isPaletteComing(): boolean {
  return opened.get() === 'palette' && !isCovered();
}

function typeAhead(event: KeyboardEvent): void {
  if (!isCharacter(event) || event.isComposing) return;
  event.preventDefault();
  asked.set(asked.get() + event.key);
}

function isCovered(): boolean {
  return document.querySelector('dialog[open], [aria-modal="true"], [role="menu"]') !== null;
}
