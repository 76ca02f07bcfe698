import { Button } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { Link, useParams } from '@tanstack/react-router';
import { useRef } from 'react';
import type { Author } from '../../../contract/chat.ts';
import type { InboxConversation as Shown } from '../../../contract/inbox.ts';
import { EstimateLine } from '../../parts/estimate-line.tsx';
import { t } from '../../messages/t.ts';
import { isNotFound, viewOf } from '../../queries/query-props.ts';
import { useOrgId } from '../../routing/route-params.ts';
import { useMay } from '../../session/use-role.ts';
import { Badge } from '../../ui/badge.tsx';
import { Notice } from '../../ui/notice.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { Assignee } from './assignee.tsx';
import style from './inbox.module.css';
import { PresentMembers } from './present-members.tsx';
import { ReplyForm } from './reply-form.tsx';
import { Thread } from './thread.tsx';
import { useInboxActs, useInboxConversation } from './use-inbox.ts';
import './messages.ts';

/** A conversation as members see it: the messages, their notes, and the actions. */
export function InboxConversation() {
  const orgId = useOrgId();
  const { conversationId = '' } = useParams({ strict: false });
  const found = useInboxConversation(conversationId);
  const mayWrite = useMay(orgId, 'agent.write');
  const reply = useRef<HTMLTextAreaElement>(null);
  const onTaken = () => reply.current?.focus();
  // The reader may no longer be allowed to see what was loaded before. Unsent text is kept as a draft.
  if (isNotFound(found.error)) return <Gone orgId={orgId} />;
  return (
    <QueryView {...viewOf(found)} data={found.data?.pages[0]} shape="card">
      {({ conversation, notes, helpers }) => (
        <article className={style['conversation']} aria-label={conversation.endUser.name}>
          <Head key={conversation.id} {...{ orgId, conversation, helpers, mayWrite, onTaken }} />
          <PresentMembers />
          <Thread
            conversation={conversation}
            messages={found.data?.pages.flatMap(({ messages }) => messages) ?? []}
            notes={notes}
            earlier={found.hasNextPage ? () => void found.fetchNextPage() : undefined}
          />
          {mayWrite && (
            <ReplyForm key={conversation.id} orgId={orgId} conversation={conversation} field={reply} />
          )}
        </article>
      )}
    </QueryView>
  );
}

function Gone({ orgId }: { orgId: string }) {
  return (
    <Notice
      bare
      role="alert"
      title={t('inbox.gone')}
      text={t('inbox.goneText')}
      action={
        <Link to="/platform/{-$orgId}/inbox" params={{ orgId }}>
          {t('inbox.back')}
        </Link>
      }
    />
  );
}

interface HeadProps {
  orgId: string;
  conversation: Shown;
  helpers: readonly Author[];
  mayWrite: boolean;
  /** Called when the reader has taken the conversation over. */
  onTaken: () => void;
}

function Head({ orgId, conversation, helpers, mayWrite, onTaken }: HeadProps) {
  const { endUser, agent, handling, assignee, handover, channel, seenAt, estimate } = conversation;
  return (
    <header className={style['head']}>
      <Link
        to="/platform/{-$orgId}/inbox"
        params={{ orgId }}
        className={style['back']}
        aria-label={t('inbox.back')}
      >
        <IconArrowLeft size="1.25em" aria-hidden />
      </Link>
      <div className={style['who']}>
        <h2 className={style['name']}>{endUser.name}</h2>
        <p className={style['faint']}>
          {agent.name}
          {channel && <> · {t(`inbox.channel.${channel}`)}</>}
          {handover && (
            <>
              {' '}
              · {t('inbox.asked')} <TimeAgo at={handover.askedAt} />
            </>
          )}
        </p>
        {seenAt && (
          <p className={style['faint']}>
            {t('inbox.lastHere')} <TimeAgo at={seenAt} />
          </p>
        )}
        {estimate && <EstimateLine estimate={estimate} whole />}
        {handover?.reason && <p className={style['reason']}>{handover.reason}</p>}
      </div>
      <State {...{ handling, assignee }} />
      {mayWrite && <Acts {...{ orgId, conversation, helpers, onTaken }} />}
    </header>
  );
}

function Acts({ orgId, conversation, helpers, onTaken }: Omit<HeadProps, 'mayWrite'>) {
  const { id, handling, assignee } = conversation;
  const { move } = useInboxActs(orgId, id);
  const isWithPeople = handling === 'human' || handling === 'waiting';
  return (
    <div className={style['acts']}>
      {assignee ? (
        <Assignee {...{ orgId, conversation, helpers }} />
      ) : (
        <Button loading={move.isPending} onClick={() => move.mutate('take', { onSuccess: onTaken })}>
          {t('inbox.take')}
        </Button>
      )}
      {isWithPeople && (
        <>
          <Button variant="default" loading={move.isPending} onClick={() => move.mutate('release')}>
            {t('inbox.release')}
          </Button>
          <Button variant="default" loading={move.isPending} onClick={() => move.mutate('close')}>
            {t('inbox.close')}
          </Button>
        </>
      )}
    </div>
  );
}

function State({ handling, assignee }: Pick<Shown, 'handling' | 'assignee'>) {
  if (handling === 'waiting') return <Badge tone="warning">{t('inbox.waits')}</Badge>;
  if (handling === 'human') return <Badge tone="accent">{assignee?.name ?? t('inbox.somebody')}</Badge>;
  return <Badge>{t(handling === 'closed' ? 'inbox.isClosed' : 'inbox.isBot')}</Badge>;
}
