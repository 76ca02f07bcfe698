import { useBlocker } from '@tanstack/react-router';
import { t } from './messages/t.ts';
import { ConfirmDialog } from './ui/confirm-dialog.tsx';

interface UnsavedGuardProps {
  changed: boolean;
  /** Where it is something else than what was changed in a form. */
  title?: string;
  text?: string;
}

/** Asks before a page is left, or closed, on which something was changed and not saved. */
export function UnsavedGuard({ changed, title, text }: UnsavedGuardProps) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => changed && current.pathname !== next.pathname,
    enableBeforeUnload: changed,
    withResolver: true,
  });
  return (
    <ConfirmDialog
      ofLeaving
      opened={status === 'blocked'}
      title={title ?? t('unsaved.title')}
      text={text ?? t('unsaved.text')}
      action={t('unsaved.leave')}
      busy={false}
      onConfirm={() => proceed?.()}
      onClose={() => reset?.()}
    />
  );
}
