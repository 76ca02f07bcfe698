import { Stack } from '@mantine/core';
import { IconBook2, IconPlus } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ListedKnowledge } from '../../../contract/knowledge.ts';
import { t } from '../../messages/t.ts';
import { describeError } from '../../queries/query-client.ts';
import { isAddedAbove } from '../../queries/query-props.ts';
import { useAgentId, useOrgId } from '../../routing/route-params.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Callout } from '../../ui/callout.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { SearchInput } from '../../ui/search-input.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { useKeptSearch } from '../../hooks/use-kept-search.ts';
import { useMay } from '../../session/use-role.ts';
import { DropAnywhere } from './drop-anywhere.tsx';
import { titleOf } from './item-title.ts';
import { KnowledgeTable } from './knowledge-table.tsx';
import { TryQuestion } from './try-question.tsx';
import { useAddFiles } from './use-add-files.ts';
import { useLiveKnowledge } from './use-live-knowledge.ts';

/** Everything an agent was given to know, with the progress of each item. */
export function KnowledgeScreen() {
  const orgId = useOrgId();
  const agentId = useAgentId();
  const mayWrite = useMay(orgId, 'agent.write');
  const { data, refetch } = useLiveKnowledge(agentId);
  const adding = useAddFiles(orgId, agentId);
  const add = mayWrite && <AddLink orgId={orgId} agentId={agentId} />;
  return (
    <>
      <PageHeader
        title={t('knowledge.title')}
        lead={mayWrite ? t('knowledge.lead') : t('knowledge.leadReading')}
        actions={isAddedAbove(data?.items, data?.error) && add}
      />
      <Stack>
        {adding.isPending && <Callout>{t('knowledge.uploading')}</Callout>}
        {mayWrite && <DropAnywhere onFiles={adding.mutate} />}
        {!data && <Skeleton shape="row" />}
        {data?.error ? (
          <ErrorState message={describeError(data.error)} onRetry={() => void refetch()} />
        ) : null}
        {data && !data.error && data.items.length === 0 && (
          <Notice
            icon={<IconBook2 size="1.25em" aria-hidden />}
            title={t('knowledge.none')}
            text={mayWrite ? t('knowledge.noneText') : t('knowledge.noneReading')}
            action={add}
          />
        )}
        {data && data.items.length > 0 && (
          <Items items={data.items} orgId={orgId} agentId={agentId} mayWrite={mayWrite} />
        )}
      </Stack>
    </>
  );
}

function AddLink({ orgId, agentId }: { orgId: string; agentId: string }) {
  return (
    <Link
      to="/platform/{-$orgId}/agent/$agentId/knowledge/create"
      params={{ orgId, agentId }}
      className={buttonClass('primary')}
    >
      <IconPlus size="1.15em" aria-hidden />
      {t('knowledge.add')}
    </Link>
  );
}

interface ItemsProps {
  items: readonly ListedKnowledge[];
  orgId: string;
  agentId: string;
  mayWrite: boolean;
}

function Items({ items, ...rest }: ItemsProps) {
  const [search, setSearch] = useKeptSearch();
  const found = items
    .filter((item) => matches(item, search))
    .toSorted((a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt));
  return (
    <Stack>
      <SearchInput label={t('knowledge.search')} value={search} onChange={setSearch} />
      {found.length > 0 ? (
        <KnowledgeTable items={found} {...rest} />
      ) : (
        <Notice title={t('knowledge.notFound')} text={t('knowledge.notFoundText')} />
      )}
      <TryQuestion agentId={rest.agentId} />
    </Stack>
  );
}

function matches(item: ListedKnowledge, search: string): boolean {
  const wanted = search.trim().toLowerCase();
  const texts = [titleOf(item), t(`knowledge.type.${item.type}`), ...item.links];
  return texts.some((text) => text.toLowerCase().includes(wanted));
}
