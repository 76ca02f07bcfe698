import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Knowledge, ListedKnowledge } from '../../../contract/knowledge.ts';
import { t } from '../../messages/t.ts';
import { knowledgeQuery } from '../../queries/agent-queries.ts';
import { pageOf } from '../../queries/query-props.ts';
import { useAgentId, useKnowledgeId, useOrgId } from '../../routing/route-params.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { useMay } from '../../session/use-role.ts';
import { FailureLine } from './failure-line.tsx';
import { HeldRevision } from './held-revision.tsx';
import { ItemButtons } from './item-buttons.tsx';
import { ItemFacts } from './item-facts.tsx';
import { ItemProgress } from './item-progress.tsx';
import { titleOf } from './item-title.ts';
import { ItemViews } from './item-views.tsx';
import type { Place } from './place.ts';
import { ReplaceFileUploads } from './replace-file.tsx';
import { LiveState } from './state-badge.tsx';
import { isUnderWay, useLiveKnowledge } from './use-live-knowledge.ts';
import { canReplaceFile } from './use-replace-file.ts';

export function KnowledgeItemScreen({ place }: { place: Place }) {
  const agentId = useAgentId();
  const item = useQuery(knowledgeQuery(agentId, useKnowledgeId()));
  // Progress updates go to the list; this page shows its own item's.
  const all = useLiveKnowledge(agentId);
  const live = all.data?.items.find(({ id }) => id === item.data?.id);
  return (
    <QueryView {...pageOf(item)}>
      {(loaded) => <Item item={{ ...loaded, ...(live && pickLive(live)) }} agentId={agentId} place={place} />}
    </QueryView>
  );
}

function pickLive({ progress, characters, chunks, heldRevision }: ListedKnowledge) {
  return { progress, characters, chunks, heldRevision };
}

function Item({ item, agentId, place }: { item: Knowledge; agentId: string; place: Place }) {
  const mayWrite = useMay(useOrgId(), 'agent.write');
  // For an item somebody wrote here, the text comes first.
  const isWritten = item.type === 'text' || item.type === 'qa';
  const key = { id: agentId, knowledgeId: item.id };
  return (
    <>
      <PageHeader
        title={titleOf(item)}
        lead={
          <>
            {t(`knowledge.type.${item.type}`)} <LiveState item={item} />
          </>
        }
        actions={mayWrite && <ItemButtons agentId={agentId} item={item} />}
      />
      <Stack gap="lg">
        <FailureLine item={item} agentId={agentId} mayWrite={mayWrite} />
        {mayWrite && canReplaceFile(item) && <ReplaceFileUploads agentId={agentId} item={item} />}
        {isUnderWay(item.progress.state) && <ItemProgress item={item} />}
        {item.heldRevision !== null && (
          <HeldRevision item={key} number={item.heldRevision} mayWrite={mayWrite} />
        )}
        {!isWritten && <ItemFacts item={item} agentId={agentId} />}
        <ItemViews item={item} agentId={agentId} place={place} mayWrite={mayWrite} />
        {isWritten && <ItemFacts item={item} agentId={agentId} />}
      </Stack>
    </>
  );
}
