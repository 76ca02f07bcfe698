import { useEffect, useState } from 'react';
import { useStore } from '../store.ts';
import { opened } from './opened.ts';

let firstKey: KeyboardEvent | null = null;

/** True from the moment on that somebody pressed a key that may be a shortcut: only then their code is loaded. */
export function useCommandsAsked(): boolean {
  const isOpen = useStore(opened) !== null;
  const [isAsked, setAsked] = useState(false);
  useEffect(() => {
    if (isAsked) return undefined;
    const listen = (event: KeyboardEvent) => {
      const isPalette = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey);
      if (event.key.length !== 1 || (!isPalette && isTyping(event))) return;
      // Browsers have an own use for it, and the code comes too late to say so.
      if (isPalette) event.preventDefault();
      firstKey = new KeyboardEvent('keydown', event);
      setAsked(true);
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, [isAsked]);
  return isAsked || isOpen;
}

/** The key by which the shortcuts were asked for, once, for whoever listens since. */
export function takeFirstKey(): KeyboardEvent | null {
  const key = firstKey;
  firstKey = null;
  return key;
}

export function isTyping({ target }: KeyboardEvent): boolean {
  return (
    target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null
  );
}
