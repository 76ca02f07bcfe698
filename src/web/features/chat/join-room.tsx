import { IconUsers } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiError } from '../../../contract/client.ts';
import { api } from '../../api/api.ts';
import { t } from '../../messages/t.ts';
import { describeError } from '../../queries/query-client.ts';
import { ensureSignedIn, sessionState } from '../../session/session.ts';
import { useStore } from '../../store.ts';
import { PlainButton } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import style from './chat.module.css';
import { chosenName, goBy, GuestName } from './guest-name.tsx';
import { listAgain } from './list-again.ts';
import './messages.ts';
import { SignInLink } from './sign-in-link.tsx';

/**
 * Asks an invited person before they enter the room. A person who is not signed in joins as a guest, under the name
 * they enter.
 */
export function JoinRoom({ token }: { token: string }) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const join = useMutation({
    mutationFn: async (name: string) => {
      await ensureSignedIn();
      await goBy(name);
      return (await api.room.join({ token })).conversation;
    },
    onSuccess: async ({ id }) => {
      await navigate({ to: '/chat/{-$id}', params: { id }, replace: true });
      await listAgain(queryClient);
    },
    meta: { failure: 'joinRoom', quiet: true },
  });
  const { user } = useStore(sessionState);
  const isNobody = !user || user.isAnonymous;
  const isGone = join.error instanceof ApiError && join.error.status === 404;
  return (
    <div className={style['centre']}>
      <Notice
        bare
        level={1}
        icon={<IconUsers size="1.25em" aria-hidden />}
        title={t(isGone ? 'chats.linkInvalid' : 'chats.joinTitle')}
        text={
          isGone
            ? t(isNobody ? 'chats.linkInvalidSignIn' : 'chats.linkInvalidText')
            : join.error
              ? describeError(join.error)
              : t('chats.joinText')
        }
        action={isGone ? isNobody && <SignInLink /> : <JoinForm busy={join.isPending} onJoin={join.mutate} />}
      />
    </div>
  );
}

function JoinForm({ busy, onJoin }: { busy: boolean; onJoin: (name: string) => void }) {
  const { user } = useStore(sessionState);
  const [typed, setTyped] = useState<string | null>(null);
  const name = typed ?? chosenName(user);
  return (
    <form
      className={style['join']}
      onSubmit={(event) => {
        event.preventDefault();
        onJoin(name.trim());
      }}
    >
      {(!user || user.isAnonymous) && <GuestName value={name} onChange={setTyped} />}
      <PlainButton kind="primary" type="submit" disabled={busy}>
        {t('chats.join')}
      </PlainButton>
    </form>
  );
}
