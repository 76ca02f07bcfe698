import { useLayoutEffect, useRef, type FocusEvent, type KeyboardEvent, type ReactNode } from 'react';

interface ToolbarProps {
  label: string;
  className?: string | undefined;
  children: ReactNode;
}

/** A row of buttons with a single tab stop; the arrow keys, Home and End move between them. */
export function Toolbar({ label, className, children }: ToolbarProps) {
  const bar = useRef<HTMLDivElement>(null);
  const current = useRef<Element | null>(null);
  const select = (button: Element | null) => {
    current.current = button;
    for (const each of buttonsOf(bar.current)) each.tabIndex = each === button ? 0 : -1;
  };
  // Buttons come and go; one of them is always reachable.
  useLayoutEffect(() => {
    const buttons = buttonsOf(bar.current);
    select(buttons.find((button) => button === current.current) ?? buttons[0] ?? null);
  });
  const onKeyDown = (event: KeyboardEvent) => {
    const buttons = buttonsOf(bar.current);
    const place = buttons.findIndex((button) => button === event.target);
    const next = place < 0 ? undefined : buttons.at(targetOf(event.key, place, buttons.length));
    if (!next || next === event.target) return;
    event.preventDefault();
    next.focus();
  };
  const onFocus = ({ target }: FocusEvent) => {
    if (buttonsOf(bar.current).some((button) => button === target)) select(target);
  };
  return (
    <div
      ref={bar}
      role="toolbar"
      aria-label={label}
      className={className}
      onKeyDown={onKeyDown}
      onFocus={onFocus}
    >
      {children}
    </div>
  );
}

/** A form opened by a button has its own tab order. */
function buttonsOf(bar: HTMLElement | null): HTMLButtonElement[] {
  return [...(bar?.querySelectorAll<HTMLButtonElement>('button:not(:disabled)') ?? [])].filter(
    (button) => !button.closest('form'),
  );
}

function targetOf(key: string, place: number, count: number): number {
  if (key === 'ArrowRight') return (place + 1) % count;
  if (key === 'ArrowLeft') return (place - 1 + count) % count;
  if (key === 'Home') return 0;
  return key === 'End' ? count - 1 : place;
}
