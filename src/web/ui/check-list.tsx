import { Checkbox, TextInput } from '@mantine/core';
import { useState } from 'react';
import { t } from '../messages/t.ts';
import style from './check-list.module.css';

/** A longer list gets a search field. */
const SEARCHED_FROM = 8;

interface CheckListProps {
  legend: string;
  /** A hint about the choice, below the legend. */
  hint?: string;
  /** Shown when there is nothing to choose from. */
  none: string;
  options: readonly { value: string; label: string }[];
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
  disabled?: boolean;
}

/** A multiple choice. */
export function CheckList({
  legend,
  hint,
  none,
  options,
  chosen,
  onChange,
  disabled = false,
}: CheckListProps) {
  const [search, setSearch] = useState('');
  const shown = options.filter(({ label }) => label.toLowerCase().includes(search.trim().toLowerCase()));
  const toggle = (value: string, on: boolean) =>
    onChange(on ? [...chosen, value] : chosen.filter((other) => other !== value));
  return (
    <fieldset className={style['list']} disabled={disabled}>
      <legend className={style['legend']}>{legend}</legend>
      {hint && <p className={style['hint']}>{hint}</p>}
      {options.length > SEARCHED_FROM && (
        <TextInput
          aria-label={t('ui.searchIn', { name: legend })}
          placeholder={t('ui.search')}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
      )}
      {options.length === 0 && <p className={style['hint']}>{none}</p>}
      <div className={style['options']}>
        {shown.map(({ value, label }) => (
          <Checkbox
            key={value}
            label={label}
            checked={chosen.includes(value)}
            onChange={(event) => toggle(value, event.currentTarget.checked)}
          />
        ))}
      </div>
    </fieldset>
  );
}
