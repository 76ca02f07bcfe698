import { Button } from '@mantine/core';
import { IconMessages } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { InboxConversation } from '../../../contract/inbox.ts';
import { EstimateLine } from '../../parts/estimate-line.tsx';
import { laterApi } from '../../api/later-api.ts';
import { lineOf } from '../../line-of.ts';
import { t } from '../../messages/t.ts';
import { listOf, moreOf } from '../../queries/query-props.ts';
import { useAgentId, useOrgId } from '../../routing/route-params.ts';
import { Cell, DataTable } from '../../ui/data-table.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Person } from '../../ui/person.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { SearchInput } from '../../ui/search-input.tsx';
import { ShowMore } from '../../ui/show-more.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { useServerSearch } from '../../hooks/use-kept-search.ts';
import { filtersOf, inputOf, type ConversationFilters } from './conversation-filters.ts';
import { FilterFields } from './filter-fields.tsx';
import style from './improvement.module.css';
import './messages.ts';

const route = '/platform/{-$orgId}/agent/$agentId/conversations';

/** An agent's conversations. The filters are in the address, which can be shared. */
export function ConversationsScreen() {
  const orgId = useOrgId();
  const agentId = useAgentId();
  const navigate = useNavigate();
  const filters = filtersOf(useSearch({ from: route }));
  const show = (search: Record<string, unknown>) =>
    void navigate({ to: route, params: { orgId, agentId }, search, replace: true });
  const { search, setSearch, wanted } = useServerSearch();
  const isChosen = search !== '' || Object.keys(filters).length > 0;
  const reset = () => {
    setSearch('');
    show({});
  };
  return (
    <div className={style['page']}>
      <PageHeader
        title={t('improvement.conversationsTitle')}
        lead={t('improvement.conversationsLead')}
        actions={
          isChosen && (
            <Button variant="default" onClick={reset}>
              {t('improvement.reset')}
            </Button>
          )
        }
      />
      <SearchInput label={t('improvement.conversationSearch')} value={search} onChange={setSearch} />
      <FilterFields agentId={agentId} filters={filters} onChange={(next) => show({ ...filtersOf(next) })} />
      <Found agentId={agentId} filters={filters} search={wanted} isChosen={isChosen} />
    </div>
  );
}

function useConversations(agentId: string, filters: ConversationFilters, search: string) {
  return useInfiniteQuery({
    queryKey: ['agent-conversations', agentId, filters, search],
    queryFn: ({ pageParam, signal }) =>
      laterApi.endUser.listConversations(
        {
          id: agentId,
          ...inputOf(filters),
          ...(search && { search }),
          ...(pageParam && { cursor: pageParam }),
        },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
    staleTime: 0,
    meta: { failure: 'getConversations', quiet: true },
  });
}

interface FoundProps {
  agentId: string;
  filters: ConversationFilters;
  search: string;
  /** Whether a filter is set that a conversation may not match. */
  isChosen: boolean;
}

function Found({ agentId, filters, search, isChosen }: FoundProps) {
  const found = useConversations(agentId, filters, search);
  const columns = ['conversation', 'person', 'changed'] as const;
  return (
    <>
      <QueryView {...listOf(found, ({ conversations }) => conversations)}>
        {(conversations) =>
          conversations.length === 0 ? (
            <Notice
              icon={<IconMessages size="1.25em" aria-hidden />}
              title={t(isChosen ? 'improvement.noSuchConversation' : 'improvement.noConversations')}
              text={t(isChosen ? 'improvement.noSuchConversationText' : 'improvement.noConversationsText')}
            />
          ) : (
            <DataTable
              label={t('improvement.conversationsTitle')}
              columns={columns.map((column) => t(`improvement.${column}`))}
            >
              {conversations.map((conversation) => (
                <Row key={conversation.id} conversation={conversation} />
              ))}
            </DataTable>
          )
        }
      </QueryView>
      <ShowMore {...moreOf(found)} />
    </>
  );
}

function Row({ conversation }: { conversation: InboxConversation }) {
  const { id, title, last, endUser, estimate, updatedAt } = conversation;
  const orgId = useOrgId();
  return (
    <tr>
      <Cell kind="main">
        <Link to="/platform/{-$orgId}/inbox/$conversationId" params={{ orgId, conversationId: id }}>
          {title}
        </Link>
        {last && <p className={style['last']}>{lineOf(last.text)}</p>}
        {estimate && <EstimateLine estimate={estimate} />}
      </Cell>
      <Cell>
        <Person name={endUser.name} photo={endUser.profilePhoto} title={endUser.name} />
      </Cell>
      <Cell kind="faint" label={t('improvement.changed')}>
        <TimeAgo at={updatedAt} />
      </Cell>
    </tr>
  );
}
