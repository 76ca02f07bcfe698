import { Link, useLocation, type LinkProps } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { t, type MessageKey } from '../messages/t.ts';
import style from './tab-links.module.css';

interface TabLinksProps {
  label: string;
  /** `nested`: pages below it belong to it. */
  tabs: readonly { to: NonNullable<LinkProps['to']>; title: MessageKey; nested?: boolean }[];
  params: Record<string, string>;
}

/** The pages of a section, side by side. */
export function TabLinks({ label, tabs, params }: TabLinksProps) {
  const path = useLocation({ select: ({ pathname }) => pathname });
  const count = tabs.length;
  const bar = useRef<HTMLElement>(null);
  // On phones the tabs are wider than the page. Only the bar is scrolled, never the page below it, whose position isn't
  // its concern.
  useEffect(() => {
    const links = [...(bar.current?.querySelectorAll('a') ?? [])];
    const active = links.slice(0, count).findLast((link) => path.startsWith(link.pathname));
    if (bar.current && active) showWithin(bar.current, active);
  }, [path, count]);
  return (
    <nav ref={bar} className={style['tabs']} aria-label={label}>
      {tabs.map(({ to, title, nested = false }) => (
        <Link key={to} to={to} params={params} activeOptions={{ exact: !nested }}>
          {t(title)}
        </Link>
      ))}
    </nav>
  );
}

/** Scrolls a bar sideways, just far enough to make one of its items fully visible. */
function showWithin(bar: HTMLElement, item: HTMLElement): void {
  const [frame, box] = [bar.getBoundingClientRect(), item.getBoundingClientRect()];
  if (box.left < frame.left) bar.scrollLeft -= frame.left - box.left;
  else if (box.right > frame.right) bar.scrollLeft += box.right - frame.right;
}
