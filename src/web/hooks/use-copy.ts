import { useEffect, useState } from 'react';

const SHOWN_MS = 1500;

/** Copies a text to the clipboard, and is true for a moment afterwards. */
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

/**
 * Resolves to whether it could be copied. Also works on a page loaded over plain http, as in a home network, where
 * browsers provide no clipboard.
 */
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
  // While a dialog is open, nothing outside it can be selected.
  (before?.closest('dialog, [role="dialog"]') ?? document.body).append(field);
  field.select();
  const isCopied = document.execCommand('copy');
  field.remove();
  if (before instanceof HTMLElement) before.focus();
  return isCopied;
}
