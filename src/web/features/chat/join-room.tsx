import { IconUsers } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { ApiError } from '../../../contract/client.ts';
import { api } from '../../api.ts';
import { t } from '../../messages/t.ts';
import { describeError } from '../../query-client.ts';
import { ensureSignedIn } from '../../session.ts';
import { PlainButton } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import style from './chat.module.css';

/** Asks whoever was invited before they are in the room. Who is not signed in comes as a guest. */
export function JoinRoom({ token }: { token: string }) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const join = useMutation({
    mutationFn: async () => {
      await ensureSignedIn();
      return (await api.room.join({ token })).conversation;
    },
    onSuccess: async ({ id }) => {
      await navigate({ to: '/chat/{-$id}', params: { id }, replace: true });
      await queryClient.invalidateQueries({ queryKey: ['conversations'] });
    },
    meta: { failure: 'joinRoom', quiet: true },
  });
  const isGone = join.error instanceof ApiError && join.error.status === 404;
  return (
    <div className={style['centre']}>
      <Notice
        bare
        level={1}
        icon={<IconUsers size="1.25em" aria-hidden />}
        title={t(isGone ? 'chats.linkInvalid' : 'chats.joinTitle')}
        text={
          join.error ? (isGone ? t('chats.linkInvalidText') : describeError(join.error)) : t('chats.joinText')
        }
        action={
          !isGone && (
            <PlainButton kind="primary" disabled={join.isPending} onClick={() => join.mutate()}>
              {t('chats.join')}
            </PlainButton>
          )
        }
      />
    </div>
  );
}
