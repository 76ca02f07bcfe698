import { Link, type LinkProps } from '@tanstack/react-router';
import { t, type MessageKey } from '../messages/t.ts';
import style from './tab-links.module.css';

interface TabLinksProps {
  label: string;
  tabs: readonly { to: NonNullable<LinkProps['to']>; title: MessageKey }[];
  params: Record<string, string>;
}

/** The pages of one section, side by side. */
export function TabLinks({ label, tabs, params }: TabLinksProps) {
  return (
    <nav className={style['tabs']} aria-label={label}>
      {tabs.map(({ to, title }) => (
        <Link key={to} to={to} params={params} activeOptions={{ exact: true }}>
          {t(title)}
        </Link>
      ))}
    </nav>
  );
}
