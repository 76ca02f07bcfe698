import type { ReactNode } from 'react';
import style from './page-header.module.css';

interface PageHeaderProps {
  title: ReactNode;
  /** One sentence below the title. */
  lead?: ReactNode;
  /** The page's buttons. */
  actions?: ReactNode;
}

export function PageHeader({ title, lead, actions }: PageHeaderProps) {
  return (
    <header className={style['header']}>
      <div className={style['words']}>
        <h1 className={style['title']}>{title}</h1>
        {lead && <p className={style['lead']}>{lead}</p>}
      </div>
      {actions && <div className={style['actions']}>{actions}</div>}
    </header>
  );
}
