import type { ReactNode } from 'react';
import style from './notice.module.css';

interface NoticeProps {
  icon?: ReactNode;
  title: string;
  text?: ReactNode;
  /** The button that leads on from here. */
  action?: ReactNode;
  /** Without a frame, for a container that has one. */
  bare?: boolean;
  /** The heading's level: 1 if the notice is all there is on the page. */
  level?: 1 | 2;
  role?: 'alert' | 'status';
}

/** Shown instead of content: nothing yet, not allowed, or failed. */
export function Notice({ icon, title, text, action, bare = false, level = 2, role }: NoticeProps) {
  const Heading = level === 1 ? 'h1' : 'h2';
  return (
    <section className={`${style['notice']} ${bare ? style['bare'] : ''}`} role={role}>
      {icon && <span className={style['icon']}>{icon}</span>}
      <Heading className={style['title']}>{title}</Heading>
      {text && <p className={style['text']}>{text}</p>}
      {action && <div className={style['action']}>{action}</div>}
    </section>
  );
}
