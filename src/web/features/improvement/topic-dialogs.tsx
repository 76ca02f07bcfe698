import { Button, Group, NativeSelect, Stack } from '@mantine/core';
import { useState } from 'react';
import { improvement, type Topic } from '../../../contract/improvement.ts';
import { useValidForm } from '../../forms/form.ts';
import { t } from '../../messages/t.ts';
import { Modal } from '../../ui/modal.tsx';
import { NameDialog } from '../../ui/name-dialog.tsx';
import { useChange } from './use-questions.ts';
import { laterApi } from '../../api/later-api.ts';

interface DialogProps {
  agentId: string;
  topic: Topic;
  onClose: () => void;
}

const schema = improvement.updateTopic.input.pick({ name: true }).required();

export function RenameDialog({ agentId, topic, onClose }: DialogProps) {
  const form = useValidForm({
    initial: { name: topic.name },
    schema,
    labels: { name: t('improvement.name') },
  });
  const rename = useChange(
    agentId,
    ({ name }: { name: string }) =>
      laterApi.improvement.updateTopic({ id: agentId, topicId: topic.id, name }),
    onClose,
  );
  return (
    <NameDialog
      opened
      title={t('improvement.renameTitle', { name: topic.name })}
      label={t('improvement.name')}
      input={form.getInputProps('name')}
      action={t('improvement.rename')}
      busy={rename.isPending}
      onSubmit={form.onSubmit((values) => rename.mutate(values))}
      onClose={onClose}
    />
  );
}

export function MergeDialog({ agentId, topic, others, onClose }: DialogProps & { others: readonly Topic[] }) {
  const [intoId, setIntoId] = useState(others[0]?.id ?? '');
  const merge = useChange(
    agentId,
    () => laterApi.improvement.mergeTopic({ id: agentId, topicId: topic.id, intoId }),
    onClose,
  );
  return (
    <Modal opened onClose={onClose} title={t('improvement.mergeTitle', { name: topic.name })}>
      <Stack>
        <NativeSelect
          data-autofocus
          label={t('improvement.mergeInto')}
          value={intoId}
          data={others.map(({ id, name }) => ({ value: id, label: name }))}
          onChange={({ currentTarget: { value } }) => setIntoId(value)}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('ui.cancel')}
          </Button>
          <Button loading={merge.isPending} onClick={() => merge.mutate(undefined)}>
            {t('improvement.merge')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
