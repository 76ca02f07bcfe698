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
      // What is typed after the palette's key is for its field, wherever the focus is until that is there.
      const isForPalette = isPaletteKey(event) || (kept?.some(isPaletteKey) && isCharacter(event));
      if (!kept || event.key.length !== 1 || (!isForPalette && isTyping(event))) return;
      // Browsers have an own use for it, and the code comes too late to say so.
      if (isForPalette) event.preventDefault();
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

function isPaletteKey({ key, ctrlKey, metaKey }: KeyboardEvent): boolean {
  return key.toLowerCase() === 'k' && (ctrlKey || metaKey);
}

/** One that writes, and is no command of the browser. */
export function isCharacter({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return key.length === 1 && !ctrlKey && !metaKey && !altKey;
}

export function isTyping({ target }: KeyboardEvent): boolean {
  return (
    target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null
  );
}
