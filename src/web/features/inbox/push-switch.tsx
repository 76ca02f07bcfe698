import { Switch } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { t } from '../../messages/t.ts';
import { canPush, readPush, startPush, stopPush } from './push.ts';
import style from './inbox.module.css';

const queryKey = ['push'];

/** Whether this browser notifies its user when somebody is waiting, even in the background. */
export function PushSwitch() {
  const queries = useQueryClient();
  const found = useQuery({ queryKey, queryFn: readPush, enabled: canPush(), meta: { quiet: true } });
  const change = useMutation({
    mutationFn: (isOn: boolean) => (isOn ? startPush() : stopPush()),
    onSettled: () => queries.invalidateQueries({ queryKey }),
    meta: { quiet: true },
  });
  if (!canPush()) return null;
  return (
    <Switch
      className={style['push'] ?? ''}
      label={t('inbox.push')}
      checked={found.data ?? false}
      disabled={change.isPending}
      error={
        change.isError && t(Notification.permission === 'denied' ? 'inbox.pushDenied' : 'inbox.pushFailed')
      }
      onChange={({ currentTarget: { checked } }) => change.mutate(checked)}
    />
  );
}
