import { NativeSelect, Stack } from '@mantine/core';
import { useDeferredValue, useState } from 'react';
import { knowledgeStates, type Knowledge } from '../../../contract/knowledge.ts';
import type { Source } from '../../../contract/source.ts';
import { formatCompact } from '../../format.ts';
import { t } from '../../messages/t.ts';
import { listOf, moreOf } from '../../queries/query-props.ts';
import { Cell, DataTable } from '../../ui/data-table.tsx';
import { Notice } from '../../ui/notice.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { SearchInput } from '../../ui/search-input.tsx';
import { ShowMore } from '../../ui/show-more.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { ItemLink } from './item-link.tsx';
import style from './knowledge.module.css';
import { StateBadge } from './state-badge.tsx';
import { isUnderWay } from './use-live-knowledge.ts';
import { useSources, type SourceFilter } from './use-sources.ts';

/** The documents in an item. */
export function SourcesList({ item, agentId }: { item: Knowledge; agentId: string }) {
  const [filter, setFilter] = useState<SourceFilter>({ search: '', state: '' });
  const wanted = useDeferredValue(filter);
  const key = { id: agentId, knowledgeId: item.id };
  const list = useSources(key, wanted, isUnderWay(item.progress.state));
  return (
    <Stack>
      <Filters filter={filter} onChange={setFilter} />
      <QueryView {...listOf(list, (page) => page.sources)}>
        {(found) =>
          found.length === 0 ? (
            <Notice title={t('knowledge.noSources')} text={t('knowledge.noSourcesText')} />
          ) : (
            <SourcesTable sources={found} />
          )
        }
      </QueryView>
      <ShowMore {...moreOf(list)} />
    </Stack>
  );
}

interface FiltersProps {
  filter: SourceFilter;
  onChange: (filter: SourceFilter) => void;
}

function Filters({ filter, onChange }: FiltersProps) {
  return (
    <div className={style['filters']}>
      <SearchInput
        label={t('knowledge.searchSources')}
        value={filter.search}
        onChange={(search) => onChange({ ...filter, search })}
      />
      <NativeSelect
        aria-label={t('knowledge.stateTitle')}
        value={filter.state}
        onChange={(event) =>
          onChange({ ...filter, state: event.currentTarget.value as SourceFilter['state'] })
        }
        data={[
          { value: '', label: t('knowledge.anyState') },
          ...knowledgeStates.map((state) => ({ value: state, label: t(`knowledge.state.${state}`) })),
        ]}
      />
    </div>
  );
}

function SourcesTable({ sources }: { sources: readonly Source[] }) {
  return (
    <DataTable
      label={t('knowledge.sources')}
      columns={[
        t('knowledge.sourceTitle'),
        t('knowledge.stateTitle'),
        t('knowledge.size'),
        t('knowledge.read'),
      ]}
    >
      {sources.map((source) => (
        <tr key={source.id}>
          <Cell kind="main">
            <ItemLink
              knowledgeId={source.knowledgeId}
              place={{ source: source.id }}
              className={style['name']}
            >
              {source.title}
            </ItemLink>
            {source.url !== source.title && <span className={style['detail']}>{source.url}</span>}
            {source.error && <p className={style['fault']}>{source.error}</p>}
            {source.sameAs && <span className={style['detail']}>{t('knowledge.sameText')}</span>}
          </Cell>
          <Cell>
            <StateBadge state={source.state} />
          </Cell>
          <Cell kind="faint" label={t('knowledge.size')}>
            {source.characters > 0 &&
              t('knowledge.characters#', {
                count: source.characters,
                number: formatCompact(source.characters),
              })}
          </Cell>
          <Cell kind="faint" label={t('knowledge.read')}>
            <TimeAgo at={source.updatedAt} />
          </Cell>
        </tr>
      ))}
    </DataTable>
  );
}
