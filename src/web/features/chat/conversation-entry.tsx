import { IconPencil, IconPin, IconPinnedOff, IconShare, IconTrash } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { Suspense, useRef, useState } from 'react';
import type { Conversation } from '../../../contract/chat.ts';
import { t } from '../../messages/t.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Hidden } from '../../ui/hidden.tsx';
import { SmallMenu, type SmallMenuItem } from '../../ui/small-menu.tsx';
import { useOver } from '../../routing/use-over.ts';
import style from './chat.module.css';
import { EntryDetail } from './entry-detail.tsx';
import { exportItems } from './export-items.tsx';
import { TitleInput } from './title-input.tsx';
import { useConversationActs } from './use-conversation-acts.ts';
import { later } from '../../ui/later.ts';

const ShareDialog = later(async () => (await import('./share-dialog.tsx')).ShareDialog);

interface ConversationEntryProps {
  conversation: Conversation;
  isOpen: boolean;
}

/** A conversation in the list, with its actions. */
export function ConversationEntry({ conversation, isOpen }: ConversationEntryProps) {
  const { id, agent } = conversation;
  const unread = conversation.unread && !isOpen;
  const acts = useConversationActs(conversation, isOpen);
  const [renaming, setRenaming] = useState(false);
  const sharing = useOver(`share ${id}`);
  const entry = useRef<HTMLLIElement>(null);
  const endRename = (title: string) => {
    acts.rename(title);
    setRenaming(false);
    requestAnimationFrame(() => {
      // Whoever ended it by going elsewhere stays there.
      if (document.activeElement === document.body) entry.current?.querySelector('a')?.focus();
    });
  };
  const items = itemsFor(conversation, acts, { rename: () => setRenaming(true), share: sharing.open });
  if (renaming)
    return (
      <li className={style['entry']}>
        <TitleInput title={acts.shownTitle} onEnd={endRename} />
      </li>
    );
  return (
    <li ref={entry} className={style['entry']} data-open={isOpen}>
      <Link
        to="/chat/{-$id}"
        params={{ id }}
        className={style['entryLink']}
        aria-current={isOpen ? 'page' : undefined}
      >
        <Avatar name={agent.name} photo={agent.profilePhoto} />
        <span className={style['entryText']}>
          <span className={style['entryTitle']} data-unread={unread}>
            {acts.shownTitle}
          </span>
          {unread && <Hidden>{t('chats.unread')}</Hidden>}
          <EntryDetail conversation={conversation} />
        </span>
      </Link>
      <SmallMenu label={t('chats.actionsOf', { title: acts.shownTitle })} items={items} />
      {sharing.opened && (
        <Suspense>
          <ShareDialog conversation={conversation} onClose={sharing.close} />
        </Suspense>
      )}
    </li>
  );
}

function itemsFor(
  conversation: Conversation,
  { togglePin, remove }: ReturnType<typeof useConversationActs>,
  begin: { rename: () => void; share: () => void },
): SmallMenuItem[] {
  const { kind, own, pinned } = conversation;
  const icon = (Icon: typeof IconPin) => <Icon size="1.15em" aria-hidden />;
  const pin = pinned
    ? { text: t('chats.unpin'), icon: icon(IconPinnedOff), run: togglePin }
    : { text: t('chats.pin'), icon: icon(IconPin), run: togglePin };
  const share = { text: t('chats.share'), icon: icon(IconShare), run: begin.share };
  if (!own) return exportItems(conversation);
  return [
    { text: t('chats.rename'), icon: icon(IconPencil), run: begin.rename },
    pin,
    ...(kind === 'game' ? [] : [share]),
    ...exportItems(conversation),
    { text: t('ui.delete'), icon: icon(IconTrash), run: remove, grave: true },
  ];
}
