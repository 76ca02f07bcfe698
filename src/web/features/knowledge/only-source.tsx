import type { Knowledge } from '../../../contract/knowledge.ts';
import { t } from '../../messages/t.ts';
import { viewOf } from '../../queries/query-props.ts';
import { Notice } from '../../ui/notice.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { SourceView } from './source-view.tsx';
import { isUnderWay } from './use-live-knowledge.ts';
import { useSources } from './use-sources.ts';

const all = { search: '', state: '' } as const;

/** The source of an item that has only one: there is nothing to select. */
export function OnlySource({ item, agentId }: { item: Knowledge; agentId: string }) {
  const key = { id: agentId, knowledgeId: item.id };
  const sources = useSources(key, all, isUnderWay(item.progress.state));
  return (
    <QueryView {...viewOf(sources)} data={sources.data?.pages[0]}>
      {({ sources: [source] }) =>
        source ? (
          <SourceView key={source.id} item={key} sourceId={source.id} place={{}} isOnly />
        ) : (
          <Notice title={t('knowledge.noSources')} text={t('knowledge.noSourcesText')} />
        )
      }
    </QueryView>
  );
}
