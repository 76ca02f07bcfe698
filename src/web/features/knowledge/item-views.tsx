import { Tabs } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { Knowledge } from '../../../contract/knowledge.ts';
import { t } from '../../messages/t.ts';
import { useOrgId } from '../../routing/route-params.ts';
import { History } from './history.tsx';
import { OnlySource } from './only-source.tsx';
import type { Place, View } from './place.ts';
import { SourceView } from './source-view.tsx';
import { SourcesList } from './sources-list.tsx';
import { TryQuestion } from './try-question.tsx';

interface ItemViewsProps {
  item: Knowledge;
  agentId: string;
  place: Place;
  mayWrite: boolean;
}

/** An item's sources or the text of its only one, its history, and what a question would find. */
export function ItemViews({ item, agentId, place, mayWrite }: ItemViewsProps) {
  const orgId = useOrgId();
  const navigate = useNavigate();
  const key = { id: agentId, knowledgeId: item.id };
  const show = (view: View) =>
    void navigate({
      to: '/platform/{-$orgId}/agent/$agentId/knowledge/$knowledgeId',
      params: { orgId, agentId, knowledgeId: item.id },
      search: { view },
      resetScroll: false,
    });
  return (
    <Tabs
      value={place.view ?? 'sources'}
      onChange={(value) => value && show(value as View)}
      keepMounted={false}
    >
      <Tabs.List>
        <Tabs.Tab value="sources">{t(isSingle(item) ? 'knowledge.text' : 'knowledge.sources')}</Tabs.Tab>
        <Tabs.Tab value="history">{t('knowledge.history')}</Tabs.Tab>
        <Tabs.Tab value="question">{t('knowledge.try')}</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="sources" pt="md">
        <Sources item={item} agentId={agentId} place={place} />
      </Tabs.Panel>
      <Tabs.Panel value="history" pt="md">
        <History item={key} mayWrite={mayWrite} />
      </Tabs.Panel>
      <Tabs.Panel value="question" pt="md">
        <TryQuestion agentId={agentId} bare />
      </Tabs.Panel>
    </Tabs>
  );
}

/** An item that is a single text to a person and a single source to the agent. */
function isSingle({ type, files, progress, links }: Knowledge): boolean {
  if (type === 'text' || type === 'qa') return true;
  return type === 'file' ? files.length === 1 : progress.total === 1 && links.length <= 1;
}

function Sources({ item, agentId, place }: Omit<ItemViewsProps, 'mayWrite'>) {
  const key = { id: agentId, knowledgeId: item.id };
  if (place.source !== undefined)
    return (
      <SourceView
        key={`${place.source} ${place.at}`}
        item={key}
        sourceId={place.source}
        place={place}
        isOnly={isSingle(item)}
      />
    );
  if (isSingle(item)) return <OnlySource item={item} agentId={agentId} />;
  return <SourcesList item={item} agentId={agentId} />;
}
