import type { ReactNode } from 'react';
import style from './hidden.module.css';

/** Text for screen readers only. */
export function Hidden({ children }: { children: ReactNode }) {
  return <span className={style['hidden']}>{children}</span>;
}
