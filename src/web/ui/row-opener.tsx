import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import style from './row-opener.module.css';

interface RowOpenerProps {
  title: string;
  /** Below the title. */
  detail: string;
  opened: boolean;
  /** The ID of the row shown below this one while expanded. */
  controls: string;
  onToggle: () => void;
}

/** Expands a table row's details in a row below it. */
export function RowOpener({ title, detail, opened, controls, onToggle }: RowOpenerProps) {
  const Icon = opened ? IconChevronDown : IconChevronRight;
  return (
    <button
      type="button"
      className={style['opener']}
      aria-expanded={opened}
      aria-controls={opened ? controls : undefined}
      onClick={onToggle}
    >
      <Icon size="1.15em" aria-hidden />
      <span>
        {title}
        <span className={style['detail']}>{detail}</span>
      </span>
    </button>
  );
}
