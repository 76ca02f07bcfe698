import { IconUsers } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useEffect } from 'react';
import type { Conversation } from '../../../contract/chat.ts';
import { api } from '../../api.ts';
import { t } from '../../messages/t.ts';
import { listen } from '../../socket.ts';
import { useOver } from '../../use-over.ts';
import style from './chat.module.css';
import './messages.ts';

const RoomDialog = lazy(async () => ({ default: (await import('./room-dialog.tsx')).RoomDialog }));

/** Who is in a room; opens the dialog in which people are invited. A room that has just been opened begins with it. */
export function RoomPeople({ conversation }: { conversation: Conversation }) {
  const { id } = conversation;
  const { invite = false } = useSearch({ from: '/chat/{-$id}' });
  const navigate = useNavigate();
  const dialog = useOver('people');
  const people = useRoomPeople(id);
  const count = people.data?.people.length ?? 1;
  const close = () => {
    if (invite) void navigate({ to: '/chat/{-$id}', params: { id }, replace: true });
    else dialog.close();
  };
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
      {(invite || dialog.opened) && (
        <Suspense>
          <RoomDialog conversation={conversation} room={people.data} onClose={close} />
        </Suspense>
      )}
    </>
  );
}

/** Read again whenever something happens in the room. */
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
