import type { ReactNode } from 'react';
import style from './badge.module.css';

export type Tone = 'neutral' | 'accent' | 'good' | 'warning' | 'bad';

export function Badge({ tone = 'neutral', children }: { tone?: Tone; children: ReactNode }) {
  return <span className={`${style['badge']} ${style[tone]}`}>{children}</span>;
}
