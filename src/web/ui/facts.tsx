import type { ReactNode } from 'react';
import style from './facts.module.css';

/** Facts about one thing, in two columns. Contains `Fact`s. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className={style['facts']}>{children}</dl>;
}

export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}
