import { TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import style from './search-input.module.css';

interface SearchInputProps {
  /** What is searched: both placeholder and accessible name. */
  label: string;
  value: string;
  onChange: (value: string) => void;
}

export function SearchInput({ label, value, onChange }: SearchInputProps) {
  return (
    <TextInput
      type="search"
      className={style['search'] ?? ''}
      aria-label={label}
      placeholder={label}
      leftSection={<IconSearch size="1.15em" aria-hidden />}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
