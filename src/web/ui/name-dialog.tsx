import { Button, Group, Stack, TextInput } from '@mantine/core';
import type { FormEventHandler, ReactNode } from 'react';
import { t } from '../messages/t.ts';
import { Modal } from './modal.tsx';

interface NameDialogProps {
  opened: boolean;
  title: string;
  label: string;
  placeholder?: string;
  /** The form's props for its field. */
  input: object;
  /** The submit button's label: a verb. */
  action: string;
  busy: boolean;
  /** More fields below the name. */
  children?: ReactNode;
  onSubmit: FormEventHandler<HTMLFormElement>;
  onClose: () => void;
}

/** Creates something that needs little more than a name. */
export function NameDialog(props: NameDialogProps) {
  const { opened, title, label, placeholder, input, action, busy, children, onSubmit, onClose } = props;
  return (
    <Modal opened={opened} onClose={onClose} title={title}>
      <form noValidate onSubmit={onSubmit}>
        <Stack>
          <TextInput data-autofocus label={label} placeholder={placeholder} {...input} />
          {children}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('ui.cancel')}
            </Button>
            <Button type="submit" loading={busy}>
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
