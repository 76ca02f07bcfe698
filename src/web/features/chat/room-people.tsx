import { IconUsers } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Suspense, useEffect } from 'react';
import type { Conversation } from '../../../contract/chat.ts';
import { api } from '../../api/api.ts';
import { t } from '../../messages/t.ts';
import { listen } from '../../socket.ts';
import { useOver } from '../../routing/use-over.ts';
import { ROOM_PEOPLE } from './chat-place.ts';
import style from './chat.module.css';
import './messages.ts';
import { later } from '../../ui/later.ts';

const RoomDialog = later(async () => (await import('./room-dialog.tsx')).RoomDialog);

/** Shows who is in a room; opens the dialog for inviting people. A newly opened room starts with it. */
export function RoomPeople({ conversation }: { conversation: Conversation }) {
  const { id } = conversation;
  const dialog = useOver(ROOM_PEOPLE);
  const people = useRoomPeople(id);
  const count = people.data?.people.length ?? 1;
  return (
    <>
      <button
        type="button"
        className={style['people']}
        aria-label={t('chats.people#', { count })}
        onClick={dialog.open}
      >
        <IconUsers size="1.15em" aria-hidden />
        <span className={style['inWords']}>{t('chats.people#', { count })}</span>
        <span className={style['inFigures']}>{count}</span>
      </button>
      {dialog.opened && (
        <Suspense>
          <RoomDialog conversation={conversation} room={people.data} onClose={dialog.close} />
        </Suspense>
      )}
    </>
  );
}

/** Reloaded whenever something happens in the room. */
function useRoomPeople(id: string) {
  const queryClient = useQueryClient();
  useEffect(() => {
    const refetch = () => void queryClient.invalidateQueries({ queryKey: ['room', id] });
    return listen(
      'conversation.updated',
      ({ conversationId }) => conversationId === id && refetch(),
      refetch,
    );
  }, [queryClient, id]);
  return useQuery({
    queryKey: ['room', id],
    queryFn: ({ signal }) => api.room.people({ id }, { signal }),
    meta: { failure: 'getRoom', quiet: true },
  });
}
