import { Button, Stack } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { EmailForm } from '../../forms/email-form.tsx';
import { GoogleButton } from '../../session/google-button.tsx';
import { t } from '../../messages/t.ts';
import { providersQuery } from '../../queries/queries.ts';
import { rememberedPage } from '../../session/return-to.ts';
import { ensureSignedIn, sessionState } from '../../session/session.ts';
import { useStore } from '../../store.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { useAskForLink } from '../../session/use-ask-for-link.ts';
import { useGoOn, useGoOnOnceSignedIn } from './after-sign-in.ts';
import style from './auth.module.css';

/** Signing in and signing up are the same action; only the texts differ. A guest keeps everything. */
export function SignInScreen() {
  const { signup = false } = useSearch({ from: '/auth/' });
  const { user } = useStore(sessionState);
  const hasNoMail = useQuery(providersQuery()).data?.mail === 'none';
  const goOn = useGoOn();
  const askForLink = useAskForLink();
  const guest = useMutation({
    mutationFn: ensureSignedIn,
    onSuccess: () => goOn(),
    meta: { failure: 'signIn' },
  });
  if (useGoOnOnceSignedIn()) return null;
  return (
    <Stack gap="lg">
      <PageHeader
        title={signup ? t('auth.signUp') : t('auth.signIn')}
        lead={t(hasNoMail ? 'auth.leadNoMail' : user?.isAnonymous ? 'auth.leadGuest' : 'auth.lead')}
      />
      <GoogleButton returnTo={rememberedPage() ?? '/platform'} />
      <EmailForm action={t('auth.sendLink')} onEmail={askForLink} />
      <span className={style['or']}>{t('auth.or')}</span>
      <Button variant="default" fullWidth loading={guest.isPending} onClick={() => guest.mutate()}>
        {t('auth.guest')}
      </Button>
      <p className={style['foot']}>
        {signup ? t('auth.haveAccount') : t('auth.noAccount')}{' '}
        {signup ? (
          <Link to="/auth">{t('auth.signIn')}</Link>
        ) : (
          <Link to="/auth" search={{ signup: true }}>
            {t('auth.signUp')}
          </Link>
        )}
      </p>
    </Stack>
  );
}
