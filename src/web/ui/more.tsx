import type { ReactNode } from 'react';
import style from './more.module.css';

/** What few people need, folded away under its name. */
export function More({ title, children }: { title: string; children: ReactNode }) {
  return (
    <details className={style['more']}>
      <summary>{title}</summary>
      <div className={style['content']}>{children}</div>
    </details>
  );
}
