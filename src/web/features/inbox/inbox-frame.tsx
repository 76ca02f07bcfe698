import { Button, SegmentedControl } from '@mantine/core';
import { IconSettings } from '@tabler/icons-react';
import { Link, Outlet, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import type { InboxConversation } from '../../../contract/inbox.ts';
import { lineOf } from '../../line-of.ts';
import { t } from '../../messages/t.ts';
import { listOf, moreOf } from '../../queries/query-props.ts';
import { useOrgId } from '../../routing/route-params.ts';
import { useMay } from '../../session/use-role.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { SearchInput } from '../../ui/search-input.tsx';
import { ShowMore } from '../../ui/show-more.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { useServerSearch } from '../../hooks/use-kept-search.ts';
import style from './inbox.module.css';
import { PushSwitch } from './push-switch.tsx';
import { useInbox, useInboxNews, type View } from './use-inbox.ts';
import { usePresence } from './use-presence.ts';
import './messages.ts';

/** Conversations handled by people: the list, and beside it the open conversation. */
export function InboxFrame() {
  const orgId = useOrgId();
  const { conversationId } = useParams({ strict: false });
  useInboxNews(orgId);
  usePresence(orgId, conversationId ?? null);
  const mayWrite = useMay(orgId, 'agent.write');
  return (
    <div className={style['page']} data-open={conversationId !== undefined}>
      <PageHeader
        title={t('inbox.title')}
        lead={t('inbox.lead')}
        actions={
          mayWrite && (
            <Button
              variant="default"
              leftSection={<IconSettings size="1.15em" aria-hidden />}
              renderRoot={(props) => (
                <Link to="/platform/{-$orgId}/inbox/settings" params={{ orgId }} {...props} />
              )}
            >
              {t('inbox.settings')}
            </Button>
          )
        }
      />
      <div className={style['frame']}>
        <List orgId={orgId} mayWrite={mayWrite} />
        <div className={style['beside']}>
          <Outlet />
        </div>
      </div>
    </div>
  );
}

function List({ orgId, mayWrite }: { orgId: string; mayWrite: boolean }) {
  const [view, setView] = useState<View>('open');
  const { search, setSearch, wanted } = useServerSearch();
  const found = useInbox(orgId, view, wanted);
  const list = listOf(found, ({ conversations }) => conversations);
  return (
    <section className={style['list']} aria-label={t('inbox.list')}>
      <SegmentedControl
        fullWidth
        size="xs"
        aria-label={t('inbox.which')}
        value={view}
        onChange={setView}
        data={(['open', 'waiting', 'mine', 'closed'] as const).map((value) => ({
          value,
          label: t(`inbox.view.${value}`),
        }))}
      />
      {(search !== '' || list.data?.length !== 0) && (
        <SearchInput label={t('inbox.search')} value={search} onChange={setSearch} />
      )}
      <QueryView {...list}>
        {(conversations) =>
          conversations.length === 0 ? (
            <p className={style['empty']}>{t(wanted === '' ? `inbox.none.${view}` : 'inbox.noneFound')}</p>
          ) : (
            <ul className={style['items']}>
              {conversations.map((conversation) => (
                <Item key={conversation.id} orgId={orgId} conversation={conversation} />
              ))}
            </ul>
          )
        }
      </QueryView>
      <ShowMore {...moreOf(found)} />
      {/* Who may not answer is not notified. */}
      {mayWrite && <PushSwitch />}
    </section>
  );
}

function Item({ orgId, conversation }: { orgId: string; conversation: InboxConversation }) {
  const { id, endUser, agent, handling, assignee, handover, last, updatedAt } = conversation;
  // As in the list: waiting conversations show how long they have waited.
  const at = handling === 'waiting' && handover ? handover.askedAt : updatedAt;
  return (
    <li>
      <Link
        to="/platform/{-$orgId}/inbox/$conversationId"
        params={{ orgId, conversationId: id }}
        className={style['item']}
      >
        <Avatar round name={endUser.name} photo={endUser.profilePhoto} />
        <span className={style['words']}>
          <span className={style['first']}>
            <span className={style['name']}>{endUser.name}</span>
            <span className={style['faint']}>
              <TimeAgo at={at} />
            </span>
          </span>
          <span className={style['last']}>{last && lineOf(last.text)}</span>
          <span className={style['faint']}>
            {handling === 'waiting' && <Badge tone="warning">{t('inbox.waits')}</Badge>}
            {handling === 'human' && (
              <Badge tone="accent">{assignee?.name ?? t('inbox.somebody')}</Badge>
            )}{' '}
            {agent.name}
          </span>
        </span>
      </Link>
    </li>
  );
}

/** Shown beside the list while none is open. */
export function NoneOpen() {
  return <Notice bare title={t('inbox.noneOpen')} text={t('inbox.noneOpenText')} />;
}
