import type { ComponentProps } from 'react';
import style from './text-button.module.css';

interface TextButtonProps extends Omit<ComponentProps<'button'>, 'children' | 'className'> {
  text: string;
}

/** A button that looks like a link. */
export function TextButton({ text, ...rest }: TextButtonProps) {
  return (
    <button type="button" className={style['textButton']} {...rest}>
      {text}
    </button>
  );
}
