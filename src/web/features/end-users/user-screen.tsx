import { Link, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { EndUserDetails } from '../../../contract/end-user.ts';
import type { InboxConversation } from '../../../contract/inbox.ts';
import { lineOf } from '../../line-of.ts';
import { t } from '../../messages/t.ts';
import { listOf, moreOf, pageOf } from '../../queries/query-props.ts';
import { useAgentId, useOrgId } from '../../routing/route-params.ts';
import { Cell, DataTable } from '../../ui/data-table.tsx';
import { Fact, Facts } from '../../ui/facts.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { Section } from '../../ui/section.tsx';
import { ShowMore } from '../../ui/show-more.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import style from './end-users.module.css';
import './messages.ts';
import { useConversationsOf, useEndUser } from './use-end-users.ts';

/** A person, their numbers, their conversations with the agent, and erasing them. */
export function UserScreen({ numbers, erase }: { numbers: ReactNode; erase: ReactNode }) {
  const agentId = useAgentId();
  const { userId = '' } = useParams({ strict: false });
  const user = useEndUser(agentId, userId);
  return (
    <QueryView {...pageOf(user)} shape="card">
      {(details) => (
        <div className={style['page']}>
          <PageHeader title={details.name} lead={t(`endUsers.kind.${details.kind}`)} />
          <About user={details} />
          {numbers}
          <Conversations agentId={agentId} userId={userId} />
          {erase}
        </div>
      )}
    </QueryView>
  );
}

function About({ user }: { user: EndUserDetails }) {
  return (
    <Section title={t('endUsers.about')}>
      <Facts>
        <Fact name={t('endUsers.conversations')}>{user.conversations}</Fact>
        <Fact name={t('endUsers.messages')}>{user.messages}</Fact>
        <Fact name={t('endUsers.ratings')}>
          {t('endUsers.rated', { up: user.ratedUp, down: user.ratedDown })}
        </Fact>
        <Fact name={t('endUsers.handovers')}>{user.handovers}</Fact>
        <Fact name={t('endUsers.firstSeen')}>
          <TimeAgo at={user.firstSeenAt} />
        </Fact>
        <Fact name={t('endUsers.lastSeen')}>
          <TimeAgo at={user.lastSeenAt} />
        </Fact>
      </Facts>
    </Section>
  );
}

function Conversations({ agentId, userId }: { agentId: string; userId: string }) {
  const found = useConversationsOf(agentId, userId);
  return (
    <>
      <QueryView {...listOf(found, ({ conversations }) => conversations)}>
        {(conversations) => (
          <DataTable
            label={t('endUsers.conversations')}
            columns={[t('endUsers.conversations'), t('endUsers.state'), t('endUsers.changed')]}
          >
            {conversations.map((conversation) => (
              <Row key={conversation.id} conversation={conversation} />
            ))}
          </DataTable>
        )}
      </QueryView>
      <ShowMore {...moreOf(found)} />
    </>
  );
}

function Row({
  conversation: { id, title, last, handling, updatedAt },
}: {
  conversation: InboxConversation;
}) {
  return (
    <tr>
      <Cell kind="main">
        <Link
          to="/platform/{-$orgId}/inbox/$conversationId"
          params={{ orgId: useOrgId(), conversationId: id }}
        >
          {title}
        </Link>
        {last && <p className={style['last']}>{lineOf(last.text)}</p>}
      </Cell>
      <Cell label={t('endUsers.state')}>{t(`endUsers.handling.${handling}`)}</Cell>
      <Cell kind="faint" label={t('endUsers.changed')}>
        <TimeAgo at={updatedAt} />
      </Cell>
    </tr>
  );
}
