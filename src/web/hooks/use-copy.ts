import { useEffect, useState } from 'react';

const SHOWN_MS = 1500;

/** Takes a text into the clipboard, and is true for a moment after it did. */
export function useCopy(onCopied?: () => void): [boolean, (text: string) => Promise<void>] {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async (text: string) => {
    if (!(await copyText(text))) return;
    setCopied(true);
    onCopied?.();
  };
  return [copied, copy];
}

/** Whether it could be taken: also where a page came over plain http, as in a home network, for browsers have no clipboard there. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copySelected(text);
  }
}

function copySelected(text: string): boolean {
  const before = document.activeElement;
  const field = document.createElement('textarea');
  field.value = text;
  field.readOnly = true;
  field.style.position = 'fixed';
  field.style.opacity = '0';
  // In a dialog nothing outside of it can be selected.
  (before?.closest('dialog, [role="dialog"]') ?? document.body).append(field);
  field.select();
  const isCopied = document.execCommand('copy');
  field.remove();
  if (before instanceof HTMLElement) before.focus();
  return isCopied;
}
