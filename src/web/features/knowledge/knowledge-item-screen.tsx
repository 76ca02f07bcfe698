import { Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Knowledge } from '../../../contract/knowledge.ts';
import { t } from '../../messages/t.ts';
import { knowledgeQuery } from '../../queries.ts';
import { viewOf } from '../../query-props.ts';
import { useAgentId, useKnowledgeId, useOrgId } from '../../route-params.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Callout } from '../../ui/callout.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { useMay } from '../../use-role.ts';
import { ItemFacts } from './item-facts.tsx';
import { titleOf } from './item-title.ts';
import style from './knowledge.module.css';
import { RemoveItem } from './remove-item.tsx';
import { useBackToList } from './use-add-knowledge.ts';
import { useLiveKnowledge } from './use-live-knowledge.ts';

export function KnowledgeItemScreen() {
  const agentId = useAgentId();
  const item = useQuery(knowledgeQuery(agentId, useKnowledgeId()));
  // The list is what progress is told to; this page shows its own item's.
  const all = useLiveKnowledge(agentId);
  const live = all.data?.items.find(({ id }) => id === item.data?.id);
  return (
    <QueryView {...viewOf(item)}>
      {(loaded) => <Item item={{ ...loaded, ...(live && pickLive(live)) }} agentId={agentId} />}
    </QueryView>
  );
}

function pickLive({ progress, characters, chunks }: Knowledge) {
  return { progress, characters, chunks };
}

function Item({ item, agentId }: { item: Knowledge; agentId: string }) {
  const orgId = useOrgId();
  const backToList = useBackToList();
  const mayWrite = useMay(orgId, 'agent.write');
  const params = { orgId, agentId, knowledgeId: item.id };
  const actions = mayWrite && (
    <Group gap="xs">
      <Link
        to="/platform/{-$orgId}/agent/$agentId/knowledge/$knowledgeId/edit"
        params={params}
        className={buttonClass('plain')}
      >
        {t('knowledge.edit')}
      </Link>
      <RemoveItem agentId={agentId} item={item} onRemoved={() => void backToList()} />
    </Group>
  );
  return (
    <>
      <PageHeader title={titleOf(item)} actions={actions} />
      {item.progress.state === 'failed' && item.progress.error && (
        <Callout tone="bad">{item.progress.error}</Callout>
      )}
      <ItemFacts item={item} />
      {item.text && (
        <pre className={style['text']} tabIndex={0}>
          {item.text}
        </pre>
      )}
    </>
  );
}
