import { NativeSelect, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { t } from '../../messages/t.ts';
import { membersQuery } from '../../people-queries.ts';
import { actions } from './action-title.ts';
import style from './audit.module.css';
import type { AuditFilter } from './use-audit.ts';

interface AuditFiltersProps {
  orgId: string;
  filter: AuditFilter;
  onChange: (filter: AuditFilter) => void;
}

export function AuditFilters({ orgId, filter, onChange }: AuditFiltersProps) {
  const { data: members = [] } = useQuery(membersQuery(orgId));
  const field = (name: keyof AuditFilter & string) => ({
    value: filter[name] ?? '',
    onChange: (event: { currentTarget: { value: string } }) =>
      onChange({ ...filter, [name]: event.currentTarget.value }),
  });
  return (
    <div className={style['filters']} role="search" aria-label={t('audit.filter')}>
      <NativeSelect
        label={t('audit.action')}
        data={[{ value: '', label: t('audit.anyAction') }, ...actions]}
        {...field('action')}
      />
      <NativeSelect
        label={t('audit.person')}
        data={[
          { value: '', label: t('audit.anybody') },
          ...members.map(({ userId, name }) => ({ value: userId, label: name })),
        ]}
        {...field('actorId')}
      />
      <TextInput type="date" label={t('audit.from')} max={filter.to} {...field('from')} />
      <TextInput type="date" label={t('audit.to')} min={filter.from} {...field('to')} />
    </div>
  );
}
