import { IconPrinter, IconShare, IconUsers } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Suspense } from 'react';
import type { Conversation } from '../../../contract/chat.ts';
import { api } from '../../api/api.ts';
import { t } from '../../messages/t.ts';
import { ensureSignedIn } from '../../session/session.ts';
import { SmallMenu, type SmallMenuItem } from '../../ui/small-menu.tsx';
import { useOver } from '../../routing/use-over.ts';
import { ROOM_PEOPLE } from './chat-place.ts';
import { exportItems } from './export-items.tsx';
import { listAgain } from './list-again.ts';
import { later } from '../../ui/later.ts';
import { whenOnline } from '../../ui/when-online.ts';

const ShareDialog = later(async () => (await import('./share-dialog.tsx')).ShareDialog);

interface ConversationMenuProps {
  agent: { id: string };
  conversation: Conversation | undefined;
}

/** In the head of a conversation: its actions, and opening a room with the same agent. */
export function ConversationMenu({ agent, conversation }: ConversationMenuProps) {
  const sharing = useOver('share');
  const openRoom = useOpenRoom(agent.id);
  const room: SmallMenuItem = {
    text: t('chats.openRoom'),
    icon: <IconUsers size="1.15em" aria-hidden />,
    run: openRoom,
  };
  const print: SmallMenuItem = {
    text: t('chats.print'),
    icon: <IconPrinter size="1.15em" aria-hidden />,
    run: () =>
      void whenOnline(() => import('../../chat/use-printing.ts')).then((it) => it.printConversation()),
  };
  const own = conversation && conversation.kind !== 'game' ? conversation : undefined;
  const share: SmallMenuItem = {
    text: t('chats.share'),
    icon: <IconShare size="1.15em" aria-hidden />,
    run: sharing.open,
  };
  const items = own
    ? [...(own.temporary ? [] : [share]), ...exportItems(own), print, room]
    : [...(conversation ? [...exportItems(conversation), print] : []), room];
  return (
    <>
      <SmallMenu label={t('chats.actions')} items={items} />
      {sharing.opened && own && (
        <Suspense>
          <ShareDialog conversation={own} onClose={sharing.close} />
        </Suspense>
      )}
    </>
  );
}

function useOpenRoom(chatbotId: string): () => void {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const open = useMutation({
    mutationFn: async () => {
      await ensureSignedIn();
      return (await api.chat.create({ chatbotId, kind: 'game' })).conversation;
    },
    onSuccess: async ({ id }) => {
      await navigate({ to: '/chat/{-$id}', params: { id } });
      // Next, people are invited, in a dialog over the room.
      await navigate({ to: '/chat/{-$id}', params: { id }, state: { over: [ROOM_PEOPLE] } });
      await listAgain(queryClient);
    },
    meta: { failure: 'getRoom' },
  });
  return () => open.mutate();
}
