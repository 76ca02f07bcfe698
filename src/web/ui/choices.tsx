import type { ReactNode } from 'react';
import style from './choices.module.css';

/** Several ways to go on, side by side. Holds list items with one link or button of `choiceClass` each. */
export function Choices({ children }: { children: ReactNode }) {
  return <ul className={style['choices']}>{children}</ul>;
}

/** A sign, its name as `strong`, and what it is. */
export const choiceClass = style['choice'] ?? '';
