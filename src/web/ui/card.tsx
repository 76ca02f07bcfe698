import type { ReactNode } from 'react';
import style from './card.module.css';

interface CardProps {
  /** `flush`: the content reaches the border. `form`: as wide as a form. */
  kind?: 'flush' | 'form';
  children: ReactNode;
}

export function Card({ kind, children }: CardProps) {
  return <div className={`${style['card']} ${kind ? style[kind] : ''}`}>{children}</div>;
}
