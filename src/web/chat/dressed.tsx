import type { ReactNode } from 'react';
import type { Dress } from '../../contract/dress.ts';
import { dressOf } from './dress.ts';
import style from './dressed.module.css';

interface DressedProps {
  appearance: Dress;
  children: ReactNode;
}

/** What stands in it looks as the agent's owner has chosen, whatever the page around it looks like. */
export function Dressed({ appearance, children }: DressedProps) {
  return (
    <div className={style['dressed']} style={dressOf(appearance)}>
      {children}
    </div>
  );
}
