import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Conversation } from '../../../contract/chat.ts';
import type { ChatLink } from '../../../contract/chat-link.ts';
import { api } from '../../api/api.ts';
import { t } from '../../messages/t.ts';
import { describeError } from '../../queries/query-client.ts';
import { PlainButton } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { useOnce } from '../../hooks/use-once.ts';
import { LinkRow } from './link-row.tsx';
import style from './share-dialog.module.css';
import './messages.ts';

interface ShareDialogProps {
  conversation: Conversation;
  onClose: () => void;
}

const expiries = [undefined, 7, 30, 90] as const;
type Audience = ChatLink['audience'];

/** The links that share a conversation: creates, copies and revokes them. */
export function ShareDialog({ conversation: { id }, onClose }: ShareDialogProps) {
  const links = useQuery({
    queryKey: ['chat-links', id],
    queryFn: async ({ signal }) => (await api.chatLink.list({ id }, { signal })).links,
    meta: { failure: 'getChatLinks', quiet: true },
  });
  const shown = links.data?.filter(({ kind }) => kind === 'read') ?? [];
  return (
    <Dialog title={t('chats.shareTitle')} onClose={onClose}>
      <p className={style['text']}>{t('chats.shareText')}</p>
      <NewLink id={id} />
      {links.error && (
        <ErrorState bare message={describeError(links.error)} onRetry={() => void links.refetch()} />
      )}
      {shown.length > 0 && (
        <ul className={style['links']} aria-label={t('chats.links')}>
          {shown.map((link) => (
            <LinkRow key={link.id} conversationId={id} link={link} />
          ))}
        </ul>
      )}
    </Dialog>
  );
}

function NewLink({ id }: { id: string }) {
  const queryClient = useQueryClient();
  const [audience, setAudience] = useState<Audience>('anybody');
  const [days, setDays] = useState<(typeof expiries)[number]>(30);
  const create = useMutation({
    mutationFn: () => api.chatLink.create({ id, kind: 'read', audience, ...(days && { days }) }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['chat-links', id] }),
    meta: { failure: 'createChatLink' },
  });
  const make = useOnce(() => create.mutateAsync());
  return (
    <form
      className={style['form']}
      onSubmit={(event) => {
        event.preventDefault();
        make();
      }}
    >
      <label>
        <span>{t('chats.audience')}</span>
        <select
          value={audience}
          onChange={({ currentTarget }) => setAudience(currentTarget.value as Audience)}
        >
          <option value="anybody">{t('chats.audienceAnybody')}</option>
          <option value="organization">{t('chats.audienceOrganization')}</option>
        </select>
      </label>
      <label>
        <span>{t('chats.expiry')}</span>
        <select
          value={days ?? ''}
          onChange={({ currentTarget }) =>
            setDays(expiries.find((each) => String(each) === currentTarget.value))
          }
        >
          {expiries.map((each) => (
            <option key={each ?? ''} value={each ?? ''}>
              {each ? t('chats.days', { count: each }) : t('chats.never')}
            </option>
          ))}
        </select>
      </label>
      <PlainButton kind="primary" type="submit" disabled={create.isPending}>
        {t('chats.createLink')}
      </PlainButton>
    </form>
  );
}
