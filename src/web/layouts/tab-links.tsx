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

/** The pages of one section, side by side. */
export function TabLinks({ label, tabs, params }: TabLinksProps) {
  const path = useLocation({ select: ({ pathname }) => pathname });
  const count = tabs.length;
  const bar = useRef<HTMLElement>(null);
  // On phones the tabs are wider than the page.
  useEffect(() => {
    const links = [...(bar.current?.querySelectorAll('a') ?? [])];
    const active = links.slice(0, count).findLast((link) => path.startsWith(link.pathname));
    active?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
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
