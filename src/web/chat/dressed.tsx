import type { ReactNode } from 'react';
import type { Dress } from '../../contract/dress.ts';
import { dressOf } from './dress.ts';
import style from './dressed.module.css';

interface DressedProps {
  appearance: Dress;
  children: ReactNode;
}

/** Applies the look chosen by the agent's owner to its content, whatever the surrounding page looks like. */
export function Dressed({ appearance, children }: DressedProps) {
  return (
    <div className={style['dressed']} style={dressOf(appearance)}>
      {children}
    </div>
  );
}
