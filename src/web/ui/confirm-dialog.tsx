import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { isTypedAs } from '../../contract/typed-name.ts';
import { t } from '../messages/t.ts';
import { Modal } from './modal.tsx';
import { useBack } from './use-back.ts';

interface ConfirmDialogProps {
  opened: boolean;
  title: string;
  /** What will happen, in one sentence. */
  text: string;
  /** The confirm button's label: a verb. */
  action: string;
  /** The thing's name, which has to be typed before a drastic action. */
  typedName?: string;
  busy: boolean;
  /** It asks about leaving the page, which Back would trigger again. */
  ofLeaving?: boolean;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks before something is destroyed. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  useBack(props.opened && !props.ofLeaving, props.onClose);
  return (
    <Modal opened={props.opened} onClose={props.onClose} title={props.title}>
      {props.opened && <ConfirmForm {...props} />}
    </Modal>
  );
}

function ConfirmForm({ text, action, typedName, busy, onConfirm, onClose }: ConfirmDialogProps) {
  const [typed, setTyped] = useState('');
  const ready = typedName === undefined || isTypedAs(typed, typedName);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (ready) onConfirm();
      }}
    >
      <Stack>
        <p>{text}</p>
        {typedName !== undefined && (
          <TextInput
            data-autofocus
            label={t('ui.typeName', { name: typedName })}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
        )}
        <Group justify="flex-end">
          {/* The focus begins where nothing is lost, or where the name is to be typed. */}
          <Button
            variant="default"
            onClick={onClose}
            {...(typedName === undefined && { 'data-autofocus': true })}
          >
            {t('ui.cancel')}
          </Button>
          <Button type="submit" color="danger" loading={busy} disabled={!ready}>
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
