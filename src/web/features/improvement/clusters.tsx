import { IconMessageQuestion } from '@tabler/icons-react';
import type { ClusterState } from '../../../contract/improvement.ts';
import { t } from '../../messages/t.ts';
import { listOf, moreOf } from '../../queries/query-props.ts';
import { Notice } from '../../ui/notice.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { SearchInput } from '../../ui/search-input.tsx';
import { ShowMore } from '../../ui/show-more.tsx';
import { useServerSearch } from '../../hooks/use-kept-search.ts';
import { ClusterItem } from './cluster-item.tsx';
import style from './improvement.module.css';
import { useClusters } from './use-questions.ts';

interface ClustersProps {
  agentId: string;
  state: ClusterState;
  /** The question shown in full. */
  opened: string | null;
}

const empty = {
  open: ['improvement.noneOpen', 'improvement.noneOpenText'],
  answered: ['improvement.noneAnswered', 'improvement.noneAnsweredText'],
  dismissed: ['improvement.noneDismissed', 'improvement.noneDismissedText'],
} as const;
const nothingFound = ['improvement.noneFound', 'improvement.noneFoundText'] as const;

export function Clusters({ agentId, state, opened }: ClustersProps) {
  const { search, setSearch, wanted } = useServerSearch();
  const found = useClusters(agentId, state, wanted);
  const [title, text] = wanted === '' ? empty[state] : nothingFound;
  const isAny = search !== '' || found.data?.pages[0]?.clusters.length !== 0;
  return (
    <>
      {isAny && <SearchInput label={t('improvement.search')} value={search} onChange={setSearch} />}
      <QueryView {...listOf(found, ({ clusters }) => clusters)} shape="card">
        {(clusters) =>
          clusters.length === 0 ? (
            <Notice
              icon={<IconMessageQuestion size="1.25em" aria-hidden />}
              title={t(title)}
              text={t(text)}
            />
          ) : (
            <ul className={style['clusters']} aria-label={t(`improvement.view.${state}`)}>
              {clusters.map((cluster) => (
                <ClusterItem
                  key={cluster.id}
                  agentId={agentId}
                  cluster={cluster}
                  isOpened={cluster.id === opened}
                />
              ))}
            </ul>
          )
        }
      </QueryView>
      <ShowMore {...moreOf(found)} />
    </>
  );
}
