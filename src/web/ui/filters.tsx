import { Button } from '@mantine/core';
import { IconFilter } from '@tabler/icons-react';
import { useId, useState, type ReactNode } from 'react';
import style from './filters.module.css';

interface FiltersProps {
  /** What is filtered: on the button, and for screen readers. */
  label: string;
  /** Whether they are visible from the start. */
  opened: boolean;
  /** The fields. */
  children: ReactNode;
}

/** On phones they appear on request: there they would precede everything they filter. */
export function Filters({ label, opened, children }: FiltersProps) {
  const fields = useId();
  const [isOpen, setOpen] = useState(opened);
  return (
    <div role="search" aria-label={label} className={style['filters']}>
      <Button
        variant="default"
        className={style['opener']}
        leftSection={<IconFilter size="1.15em" aria-hidden />}
        aria-expanded={isOpen}
        aria-controls={fields}
        onClick={() => setOpen(!isOpen)}
      >
        {label}
      </Button>
      <div id={fields} className={style['fields']} data-open={isOpen}>
        {children}
      </div>
    </div>
  );
}
