import { useEffect, useState } from 'react';
import { useStore } from '../store.ts';
import { opened } from './opened.ts';

/** Those that came before the shortcuts' code; null once that listens by itself. */
let kept: KeyboardEvent[] | null = [];

/** True from the moment on that somebody pressed a key that may be a shortcut: only then their code is loaded. */
export function useCommandsAsked(): boolean {
  const isOpen = useStore(opened) !== null;
  const [isAsked, setAsked] = useState(false);
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const isPalette = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey);
      if (!kept || event.key.length !== 1 || (!isPalette && isTyping(event))) return;
      // Browsers have an own use for it, and the code comes too late to say so.
      if (isPalette) event.preventDefault();
      kept.push(new KeyboardEvent('keydown', event));
      setAsked(true);
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, []);
  return isAsked || isOpen;
}

/** The keys by which the shortcuts were asked for, once, for whoever listens since. */
export function takeFirstKeys(): readonly KeyboardEvent[] {
  const keys = kept ?? [];
  kept = null;
  return keys;
}

export function isTyping({ target }: KeyboardEvent): boolean {
  return (
    target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null
  );
}
