import type { ComponentProps } from 'react';
import style from './button.module.css';

type Kind = 'primary' | 'plain';

/** For links styled as buttons. */
export function buttonClass(kind: Kind): string {
  return `${style['button']} ${style[kind]}`;
}

/** A button for pages that load no component library. */
export function PlainButton({ kind = 'plain', ...rest }: ComponentProps<'button'> & { kind?: Kind }) {
  return <button type="button" className={buttonClass(kind)} {...rest} />;
}
