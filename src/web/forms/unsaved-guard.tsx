import { useBlocker } from '@tanstack/react-router';
import { useEffect } from 'react';
import { t } from '../messages/t.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';

interface UnsavedGuardProps {
  changed: boolean;
  /** Where it is something else than what was changed in a form. */
  title?: string;
  text?: string;
  /** It is saved just now: who closes the page is asked, and who goes to another one lets it go on. */
  saving?: boolean;
  /** What is left is given up. */
  onLeave?: () => void;
}

/**
 * Asks before a page is left, or closed, on which something was changed and not saved. Who had just pressed Save and is asked meanwhile
 * goes on as soon as it is saved. Who leaves for a sign-in finds it again.
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
