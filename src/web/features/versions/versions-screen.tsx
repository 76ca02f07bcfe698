import { Stack } from '@mantine/core';
import type { Version } from '../../../contract/version.ts';
import { t } from '../../messages/t.ts';
import { listOf, moreOf } from '../../queries/query-props.ts';
import { SEEN_AT_ONCE } from '../../parts/searched.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Notice } from '../../ui/notice.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { SearchInput } from '../../ui/search-input.tsx';
import { ShowMore } from '../../ui/show-more.tsx';
import { useServerSearch } from '../../hooks/use-kept-search.ts';
import { useStays } from '../../hooks/use-stays.ts';
import { useVersions } from './use-versions.ts';
import { VersionRow } from './version-row.tsx';
import style from './versions.module.css';

/** All versions of the agent, with their actions. */
export function VersionsScreen() {
  const { search, setSearch, wanted } = useServerSearch();
  const list = useVersions(wanted);
  const versions = listOf(list, (page) => page.versions);
  const isSearched = useStays(search !== '' || (versions.data?.length ?? 0) > SEEN_AT_ONCE);
  return (
    <Stack>
      <p className={style['soft']}>{t('versions.lead')}</p>
      {isSearched && <SearchInput label={t('versions.search')} value={search} onChange={setSearch} />}
      <QueryView {...versions}>
        {(found) =>
          found.length === 0 && wanted !== '' ? (
            <Notice title={t('versions.notFound')} text={t('versions.notFoundText')} />
          ) : (
            <VersionsTable versions={found} />
          )
        }
      </QueryView>
      <ShowMore {...moreOf(list)} />
    </Stack>
  );
}

function VersionsTable({ versions }: { versions: readonly Version[] }) {
  return (
    <DataTable
      label={t('versions.title')}
      columns={[t('versions.column'), t('versions.saved'), t('versions.published')]}
      actions={t('versions.actions')}
    >
      {versions.map((version) => (
        <VersionRow key={version.number} version={version} />
      ))}
    </DataTable>
  );
}
