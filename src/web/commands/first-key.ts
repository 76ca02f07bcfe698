import { useEffect, useState } from 'react';
import { useStore } from '../store.ts';
import { opened } from './opened.ts';

/** The keys pressed before the shortcuts' code was loaded; null once that listens itself. */
let kept: KeyboardEvent[] | null = [];

/** True once a key was pressed that may be a shortcut: only then is their code loaded. */
export function useCommandsAsked(): boolean {
  const isOpen = useStore(opened) !== null;
  const [isAsked, setAsked] = useState(false);
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      // Text typed after the palette's shortcut is for its field, wherever focus is until that exists.
      const isForPalette = isPaletteKey(event) || (kept?.some(isPaletteKey) && isCharacter(event));
      if (!kept || event.key.length !== 1 || (!isForPalette && isTyping(event))) return;
      // Browsers use the key themselves, and the code loads too late to prevent that.
      if (isForPalette) event.preventDefault();
      kept.push(new KeyboardEvent('keydown', event));
      setAsked(true);
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, []);
  return isAsked || isOpen;
}

/** The keys that triggered the loading of the shortcuts, returned once, to the code that listens from then on. */
export function takeFirstKeys(): readonly KeyboardEvent[] {
  const keys = kept ?? [];
  kept = null;
  return keys;
}

function isPaletteKey({ key, ctrlKey, metaKey }: KeyboardEvent): boolean {
  return key.toLowerCase() === 'k' && (ctrlKey || metaKey);
}

/** A key that types a character and is no browser command. */
export function isCharacter({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return key.length === 1 && !ctrlKey && !metaKey && !altKey;
}

export function isTyping({ target }: KeyboardEvent): boolean {
  return (
    target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null
  );
}
