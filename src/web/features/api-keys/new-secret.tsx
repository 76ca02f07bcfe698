import { Button, CopyButton, Group, Modal, Stack, TextInput } from '@mantine/core';
import { t } from '../../messages/t.ts';
import { Callout } from '../../ui/callout.tsx';
import style from './api-keys.module.css';

interface NewSecretProps {
  /** Null while there is none to show. */
  secret: string | null;
  onClose: () => void;
}

/** Shows a new key, this once. It closes by its button only, so that it isn't lost by a click beside it. */
export function NewSecret({ secret, onClose }: NewSecretProps) {
  return (
    <Modal
      opened={secret !== null}
      onClose={onClose}
      title={t('apiKeys.new')}
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
          label={t('apiKeys.key')}
          value={secret ?? ''}
          onFocus={(event) => event.currentTarget.select()}
        />
        <Group justify="flex-end">
          <CopyButton value={secret ?? ''}>
            {({ copied, copy }) => (
              <Button onClick={copy}>{copied ? t('settings.copied') : t('apiKeys.copy')}</Button>
            )}
          </CopyButton>
          <Button variant="default" onClick={onClose}>
            {t('apiKeys.done')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
