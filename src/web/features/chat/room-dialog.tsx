import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Author, Conversation } from '../../../contract/chat.ts';
import { api } from '../../api/api.ts';
import { t } from '../../messages/t.ts';
import { sessionState } from '../../session/session.ts';
import { useStore } from '../../store.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { PlainButton } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { useOnce } from '../../hooks/use-once.ts';
import { chosenName, goBy, GuestName } from './guest-name.tsx';
import { LinkRow } from './link-row.tsx';
import { listAgain } from './list-again.ts';
import style from './share-dialog.module.css';
import './messages.ts';

interface RoomDialogProps {
  conversation: Conversation;
  /** Undefined until loaded. */
  room: { people: Author[]; opener: string } | undefined;
  onClose: () => void;
}

/** The people in a room. Its opener invites others; the others can leave. */
export function RoomDialog({ conversation, room, onClose }: RoomDialogProps) {
  const { id, agent } = conversation;
  const { user } = useStore(sessionState);
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const isOpener = room?.opener === user?.uid;
  const leave = useMutation({
    mutationFn: () => api.room.leave({ id }),
    onSuccess: async () => {
      await navigate({ to: '/chat/{-$id}', params: { id: undefined } });
      // Going back to it finds it closed.
      queryClient.removeQueries({ queryKey: ['conversation', id] });
      await listAgain(queryClient);
    },
    meta: { failure: 'getRoom' },
  });
  const remarkOn = (uid: string) => {
    if (uid === user?.uid) return t('chats.you');
    return uid === room?.opener && t('chats.opener');
  };
  return (
    <Dialog title={t('chats.peopleTitle')} onClose={onClose}>
      <ul className={style['people']}>
        <li className={style['person']}>
          <Avatar name={agent.name} photo={agent.profilePhoto} />
          <span>{agent.name}</span>
          <span>{t('chats.host')}</span>
        </li>
        {room?.people.map((person) => (
          <li key={person.id} className={style['person']}>
            <Avatar round name={person.name} photo={person.profilePhoto} />
            <span>{person.name}</span>
            <span>{remarkOn(person.id)}</span>
          </li>
        ))}
      </ul>
      {user?.isAnonymous && <OwnName id={id} />}
      {isOpener && <Invites id={id} />}
      {room && !isOpener && (
        <PlainButton disabled={leave.isPending} onClick={() => leave.mutate()}>
          {t('chats.leave')}
        </PlainButton>
      )}
    </Dialog>
  );
}

/** Guests would otherwise all have the same name. */
function OwnName({ id }: { id: string }) {
  const { user } = useStore(sessionState);
  const queryClient = useQueryClient();
  const [name, setName] = useState(() => chosenName(user));
  const rename = useMutation({
    mutationFn: () => goBy(name.trim()),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['room', id] }),
    meta: { failure: 'updateProfile' },
  });
  return (
    <form
      className={style['ownName']}
      onSubmit={(event) => {
        event.preventDefault();
        rename.mutate();
      }}
    >
      <GuestName value={name} onChange={setName} />
      <PlainButton type="submit" disabled={rename.isPending || name.trim() === ''}>
        {t('ui.save')}
      </PlainButton>
    </form>
  );
}

function Invites({ id }: { id: string }) {
  const queryClient = useQueryClient();
  const links = useQuery({
    queryKey: ['chat-links', id],
    queryFn: async ({ signal }) => (await api.chatLink.list({ id }, { signal })).links,
    meta: { failure: 'getChatLinks' },
  });
  const create = useMutation({
    mutationFn: () => api.chatLink.create({ id, kind: 'join', audience: 'anybody' }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['chat-links', id] }),
    meta: { failure: 'createChatLink' },
  });
  const make = useOnce(() => create.mutateAsync());
  const invites = links.data?.filter(({ kind }) => kind === 'join') ?? [];
  return (
    <>
      <p className={style['text']}>{t('chats.inviteText')}</p>
      {links.data && invites.length === 0 && (
        <PlainButton kind="primary" disabled={create.isPending} onClick={make}>
          {t('chats.createInvite')}
        </PlainButton>
      )}
      {invites.length > 0 && (
        <ul className={style['links']} aria-label={t('chats.links')}>
          {invites.map((link) => (
            <LinkRow key={link.id} conversationId={id} link={link} />
          ))}
        </ul>
      )}
    </>
  );
}
