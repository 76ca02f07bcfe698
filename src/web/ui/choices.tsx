import type { ReactNode } from 'react';
import style from './choices.module.css';

/** Several options, side by side. Contains list items with one link or button of `choiceClass` each. */
export function Choices({ children }: { children: ReactNode }) {
  return <ul className={style['choices']}>{children}</ul>;
}

/** An icon, the name as `strong`, and a description. */
export const choiceClass = style['choice'] ?? '';
