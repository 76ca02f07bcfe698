import { NativeSelect, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { t } from '../../messages/t.ts';
import type { AuditEntry } from '../../../contract/audit.ts';
import type { Member } from '../../../contract/member.ts';
import { membersQuery } from '../../queries/people-queries.ts';
import { Filters } from '../../ui/filters.tsx';
import { SearchInput } from '../../ui/search-input.tsx';
import { actions } from './action-title.ts';
import type { AuditFilter } from './use-audit.ts';

interface AuditFiltersProps {
  orgId: string;
  filter: AuditFilter;
  onChange: (filter: AuditFilter) => void;
  /** The log entries currently loaded. */
  entries: readonly AuditEntry[];
}

export function AuditFilters({ orgId, filter, onChange, entries }: AuditFiltersProps) {
  const { data: members = [] } = useQuery(membersQuery(orgId));
  const people = peopleOf(members, entries);
  const field = (name: keyof AuditFilter & string) => ({
    value: filter[name] ?? '',
    onChange: (event: { currentTarget: { value: string } }) =>
      onChange({ ...filter, [name]: event.currentTarget.value }),
  });
  return (
    <>
      <SearchInput
        label={t('audit.search')}
        value={filter.search}
        onChange={(search) => onChange({ ...filter, search })}
      />
      <Filters label={t('audit.filter')} opened={false}>
        <NativeSelect
          label={t('audit.action')}
          data={[{ value: '', label: t('audit.anyAction') }, ...actions]}
          {...field('action')}
        />
        <NativeSelect
          label={t('audit.person')}
          data={[
            { value: '', label: t('audit.anybody') },
            ...[...people].map(([value, label]) => ({ value, label })),
          ]}
          {...field('actorId')}
        />
        <TextInput type="date" label={t('audit.from')} max={filter.to} {...field('from')} />
        <TextInput type="date" label={t('audit.to')} min={filter.from} {...field('to')} />
      </Filters>
    </>
  );
}

/** Names by ID: members by their current names, then people in the log who have left since. */
function peopleOf(
  members: readonly Pick<Member, 'userId' | 'name'>[],
  entries: readonly AuditEntry[],
): Map<string, string> {
  const people = new Map(members.map(({ userId, name }) => [userId, name]));
  for (const { actorId, actorName } of entries)
    if (actorId !== null && !people.has(actorId)) people.set(actorId, actorName);
  return people;
}
