import { useEffect, useState } from 'react';

const SHOWN_MS = 1500;

/** Copies to the clipboard, as `copyText`, and is true for a moment afterwards. */
export function useCopy(onCopied?: () => void): [boolean, (...what: Copied) => Promise<void>] {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async (...what: Copied) => {
    if (!(await copyText(...what))) return;
    setCopied(true);
    onCopied?.();
  };
  return [copied, copy];
}

/** `shown`: the same formatted, on the page. */
type Copied = [text: string, shown?: Element | null | false];

/**
 * Resolves to whether it could be copied; with `shown`, formatted as well. Also works, without formatting, on a page
 * loaded over plain http, as in a home network, where browsers provide no clipboard.
 */
export async function copyText(...[text, shown]: Copied): Promise<boolean> {
  try {
    const { clipboard } = navigator;
    await (shown
      ? clipboard.write([(await import('./formatted.ts')).formatted(text, shown)])
      : clipboard.writeText(text));
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
