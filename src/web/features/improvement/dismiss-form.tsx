import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { DISMISSAL_MAX_CHARACTERS } from '../../../contract/limits.ts';
import { laterApi } from '../../api/later-api.ts';
import { t } from '../../messages/t.ts';
import style from './improvement.module.css';
import { useChange } from './use-questions.ts';

interface DismissFormProps {
  agentId: string;
  clusterId: string;
  onDone: () => void;
}

export function DismissForm({ agentId, clusterId, onDone }: DismissFormProps) {
  const [reason, setReason] = useState('');
  const dismiss = useChange(
    agentId,
    () => laterApi.improvement.dismissCluster({ id: agentId, clusterId, reason }),
    onDone,
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    dismiss.mutate(undefined);
  };
  return (
    <form className={style['panel']} onSubmit={submit}>
      <Stack gap="sm">
        <TextInput
          data-autofocus
          label={t('improvement.reason')}
          maxLength={DISMISSAL_MAX_CHARACTERS}
          value={reason}
          onChange={({ currentTarget: { value } }) => setReason(value)}
        />
        <Group gap="xs">
          <Button type="submit" loading={dismiss.isPending}>
            {t('improvement.dismiss')}
          </Button>
          <Button variant="default" onClick={onDone}>
            {t('improvement.cancel')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
