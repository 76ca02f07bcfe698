import type { IconCopy } from '@tabler/icons-react';
import type { ComponentProps } from 'react';
import style from './conversation.module.css';

interface IconButtonProps extends Omit<ComponentProps<'button'>, 'children'> {
  icon: typeof IconCopy;
  label: string;
}

/** A small button that shows only an icon and has its label as accessible name. */
export function IconButton({ icon: Icon, label, ...rest }: IconButtonProps) {
  return (
    <button type="button" className={style['tool']} aria-label={label} title={label} {...rest}>
      <Icon size="1.15em" aria-hidden />
    </button>
  );
}
