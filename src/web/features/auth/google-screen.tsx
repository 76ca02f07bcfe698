import { useMutation } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { api } from '../../api/api.ts';
import { tellOpener } from '../../session/google.ts';
import { t } from '../../messages/t.ts';
import { adoptSession } from '../../session/session.ts';
import { toast } from '../../toast.ts';
import { Notice } from '../../ui/notice.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { useGoOn } from './after-sign-in.ts';
import { GoogleRefused } from './google-refused.tsx';

/** Google's redirect target: completes the sign-in, once, and continues, or closes if it is a popup. */
export function GoogleScreen() {
  const { code, state, error, iss, popup } = useSearch({ from: '/auth/google' });
  const goOn = useGoOn();
  const finish = useMutation({
    mutationFn: () => api.identity.finishGoogle({ code, state, ...(iss && { iss }) }),
    onSuccess: async ({ session, outcome, returnTo }) => {
      adoptSession(session);
      if (tellOpener()) return;
      if (outcome === 'merged') toast.success({ title: t('auth.merged'), message: t('auth.mergedText') });
      await goOn(returnTo);
    },
    meta: { failure: 'signIn', quiet: true },
  });
  const begun = useRef(false);
  const { mutate } = finish;
  const isAnswer = code !== '' && state !== '' && error === '';
  useEffect(() => {
    if (begun.current || !isAnswer) return;
    begun.current = true;
    mutate();
  }, [mutate, isAnswer]);

  if (popup) return <Notice bare level={1} title={t('auth.popupDone')} text={t('auth.popupDoneText')} />;
  if (!isAnswer || finish.error) return <GoogleRefused error={finish.error} cancelled={error !== ''} />;
  return <Skeleton shape="row" titled />;
}
