import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ChatLink } from '../../../contract/chat-link.ts';
import { api } from '../../api/api.ts';
import { formatExactTime } from '../../format.ts';
import { t } from '../../messages/t.ts';
import { toast } from '../../toast.ts';
import { PlainButton } from '../../ui/button.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { copyText } from '../../hooks/use-copy.ts';
import style from './share-dialog.module.css';
import './messages.ts';

/** A link's address. One that admits to a room says so, so that the page asks first. */
export function addressOf({ token, kind }: ChatLink): string {
  return `${location.origin}/chat/${token}${kind === 'join' ? '?join=true' : ''}`;
}

export function LinkRow({ conversationId, link }: { conversationId: string; link: ChatLink }) {
  const queryClient = useQueryClient();
  const revoke = useMutation({
    mutationFn: () => api.chatLink.revoke({ id: conversationId, linkId: link.id }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['chat-links', conversationId] }),
    meta: { failure: 'deleteChatLink' },
  });
  const address = addressOf(link);
  const copy = () =>
    void copyText(address).then((isCopied) => isCopied && toast.success({ title: t('chats.linkCopied') }));
  const audience = t(link.audience === 'anybody' ? 'chats.audienceAnybody' : 'chats.audienceOrganization');
  return (
    <li className={style['link']}>
      <input
        readOnly
        className={style['address']}
        aria-label={audience}
        value={address}
        onFocus={({ currentTarget }) => currentTarget.select()}
      />
      <p className={style['detail']}>
        {audience}, <TimeAgo at={link.createdAt} />
        {link.expiresAt && `, ${t('chats.linkExpires', { time: formatExactTime(link.expiresAt) })}`}
      </p>
      <div className={style['buttons']}>
        <PlainButton onClick={copy}>{t('chats.copyLink')}</PlainButton>
        <PlainButton disabled={revoke.isPending} onClick={() => revoke.mutate()}>
          {t('chats.revoke')}
        </PlainButton>
      </div>
    </li>
  );
}
