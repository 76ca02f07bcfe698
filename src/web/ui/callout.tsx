import type { ReactNode } from 'react';
import style from './callout.module.css';

/** A remark inside a page; a bad one is announced at once. */
export function Callout({ tone = 'neutral', children }: { tone?: 'neutral' | 'bad'; children: ReactNode }) {
  return (
    <div className={`${style['callout']} ${style[tone]}`} role={tone === 'bad' ? 'alert' : 'status'}>
      {children}
    </div>
  );
}
