import type { UseFormReturnType } from '@mantine/form';
import { useEffect, useRef } from 'react';
import { t } from '../messages/t.ts';
import { sessionState } from '../session/session.ts';
import { toast } from '../toast.ts';

/** What somebody had typed when their session ended, by form. In memory only, since it may contain secrets. */
const kept = new Map<string, { uid: string; values: unknown }>();

/**
 * Unsaved values in a form whose user's session ends, so that the page is left, are restored when the same person
 * returns to it in this tab.
 */
export function useKeptForm<Values>(form: UseFormReturnType<Values>): void {
  const shown = useRef(form);
  useEffect(() => {
    shown.current = form;
  });
  useEffect(() => {
    const { user } = sessionState.get();
    if (!user) return;
    const { uid } = user;
    const fields = Object.keys(shown.current.getValues() as object);
    const key = [location.pathname, ...fields].join(' ');
    const before = kept.get(key);
    kept.delete(key);
    if (before?.uid === uid) {
      shown.current.setValues(before.values as Values);
      toast.success({ title: t('form.back'), message: t('form.backText') });
    }
    return () => {
      const hasEnded = sessionState.get().status === 'signed-out';
      if (hasEnded && shown.current.isDirty()) kept.set(key, { uid, values: shown.current.getValues() });
    };
  }, []);
}
