import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import style from './row-opener.module.css';

interface RowOpenerProps {
  title: string;
  /** Below the title. */
  detail: string;
  opened: boolean;
  /** The id of the row that is shown below this one while it is opened. */
  controls: string;
  onToggle: () => void;
}

/** Opens what is said of a row of a table in a row of its own. */
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
