import { TextInput } from '@mantine/core';
import { Colour } from '../../../contract/appearance.ts';
import { t } from '../../messages/t.ts';
import style from './skins.module.css';

interface ColourFieldProps {
  label: string;
  /** Its name, if the label alone doesn't tell it from others. */
  name?: string;
  description?: string;
  value: string;
  error?: string | undefined;
  onChange: (value: string) => void;
}

/** A color entered as text like `#5b5bd6`, or picked. */
export function ColourField({ label, name = label, description, value, error, onChange }: ColourFieldProps) {
  const shown = Colour.safeParse(value).data ?? '#000000';
  return (
    <TextInput
      label={label}
      aria-label={name}
      description={description}
      value={value}
      error={error}
      maxLength={7}
      spellCheck={false}
      className={style['colour'] ?? ''}
      leftSectionPointerEvents="all"
      leftSection={
        <input
          type="color"
          className={style['picker']}
          aria-label={t('looks.pick', { name })}
          value={shown.toLowerCase()}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
        />
      }
      onChange={({ currentTarget }) => onChange(currentTarget.value.trim())}
    />
  );
}
