import { Button, Group, Stack, TextInput } from '@mantine/core';
import { CopyText } from './copy-text.tsx';
import { t } from '../messages/t.ts';
import { Callout } from '../ui/callout.tsx';
import { Modal } from '../ui/modal.tsx';
import style from './new-secret.module.css';

interface NewSecretProps {
  /** Null while there is none to show. */
  secret: string | null;
  title: string;
  /** Its label. */
  label: string;
  copyLabel: string;
  onClose: () => void;
}

/** Shows a new key or secret, once only. It closes only by its button, so that a click beside it doesn't lose it. */
export function NewSecret({ secret, title, label, copyLabel, onClose }: NewSecretProps) {
  return (
    <Modal
      opened={secret !== null}
      onClose={onClose}
      title={title}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <Stack>
        <Callout>{t('apiKeys.onceOnly')}</Callout>
        <TextInput
          readOnly
          data-autofocus
          className={style['secret'] ?? ''}
          label={label}
          value={secret ?? ''}
          onFocus={(event) => event.currentTarget.select()}
        />
        <Group justify="flex-end">
          <CopyText text={secret ?? ''} label={copyLabel} variant="filled" />
          <Button variant="default" onClick={onClose}>
            {t('apiKeys.done')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
