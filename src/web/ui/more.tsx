import type { ReactNode } from 'react';
import style from './more.module.css';

/** Content few people need, collapsed under its title. */
export function More({ title, children }: { title: string; children: ReactNode }) {
  return (
    <details className={style['more']}>
      <summary>{title}</summary>
      <div className={style['content']}>{children}</div>
    </details>
  );
}
