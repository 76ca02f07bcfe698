import type { ReactNode } from 'react';
import { formatNumber } from '../../format.ts';
import style from './insights.module.css';

interface BarListProps {
  title: string;
  lead?: string;
  /** Shown if there is nothing. */
  none: string;
  rows: readonly { key: string; name: ReactNode; count: number }[];
}

/** Items by count, highest first, each with a bar. */
export function BarList({ title, lead, none, rows }: BarListProps) {
  const most = Math.max(1, ...rows.map(({ count }) => count));
  return (
    <section className={style['part']} aria-label={title}>
      <h2>{title}</h2>
      {lead && <p>{lead}</p>}
      {rows.length === 0 && <p>{none}</p>}
      <ul className={style['bars']}>
        {rows.map(({ key, name, count }) => (
          <li key={key}>
            <span>{name}</span>
            <strong>{formatNumber(count)}</strong>
            <svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden>
              <rect width={(count / most) * 100} height={1} />
            </svg>
          </li>
        ))}
      </ul>
    </section>
  );
}
