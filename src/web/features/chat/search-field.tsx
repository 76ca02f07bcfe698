import { IconSearch } from '@tabler/icons-react';
import { t } from '../../messages/t.ts';
import style from './chat.module.css';

export function SearchField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  return (
    <div className={style['search']}>
      <IconSearch size="1.15em" aria-hidden />
      <input
        type="search"
        aria-label={t('chats.search')}
        placeholder={t('chats.search')}
        maxLength={200}
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
        onKeyDown={(event) => event.key === 'Escape' && onChange('')}
      />
    </div>
  );
}
