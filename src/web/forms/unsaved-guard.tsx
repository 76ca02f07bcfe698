import { useBlocker } from '@tanstack/react-router';
import { useEffect } from 'react';
import { t } from '../messages/t.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';

interface UnsavedGuardProps {
  changed: boolean;
  /** For anything other than changes in a form. */
  title?: string;
  text?: string;
  /** A save is in progress: closing the page asks first, and going to another page lets it continue. */
  saving?: boolean;
  /** Called when the changes are abandoned. */
  onLeave?: () => void;
}

/**
 * Asks before a page with unsaved changes is left or closed. A person asked while a save is in progress moves on as
 * soon as it succeeds. Leaving for a sign-in keeps the changes.
 */
export function UnsavedGuard({ changed, title, text, saving = false, onLeave }: UnsavedGuardProps) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => changed && ![current.pathname, '/auth'].includes(next.pathname),
    enableBeforeUnload: changed || saving,
    withResolver: true,
  });
  useEffect(() => {
    if (status === 'blocked' && !changed) proceed();
  }, [status, changed, proceed]);
  return (
    <ConfirmDialog
      ofLeaving
      opened={status === 'blocked'}
      title={title ?? t('unsaved.title')}
      text={text ?? t('unsaved.text')}
      action={t('unsaved.leave')}
      busy={false}
      onConfirm={() => {
        proceed?.();
        onLeave?.();
      }}
      onClose={() => reset?.()}
    />
  );
}
