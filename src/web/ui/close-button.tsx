import { IconX } from '@tabler/icons-react';
import type { Ref } from 'react';
import style from './close-button.module.css';

interface CloseButtonProps {
  label: string;
  size?: '1em' | '1.25em';
  ref?: Ref<HTMLButtonElement>;
  onClick: () => void;
}

export function CloseButton({ label, size = '1.25em', ref, onClick }: CloseButtonProps) {
  return (
    <button ref={ref} type="button" className={style['close']} aria-label={label} onClick={onClick}>
      <IconX size={size} aria-hidden />
    </button>
  );
}
