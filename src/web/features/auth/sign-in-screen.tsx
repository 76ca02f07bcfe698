import { Button, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link, Navigate, useNavigate, useSearch } from '@tanstack/react-router';
import { t } from '../../messages/t.ts';
import { ensureSignedIn, identityApi, sessionState } from '../../session.ts';
import { useStore } from '../../store.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { useGoOn } from './after-sign-in.ts';
import style from './auth.module.css';
import { EmailForm } from './email-form.tsx';
import { pendingEmail } from './pending-email.ts';

/** Signing in and signing up are the same act; only the words differ. */
export function SignInScreen() {
  const { signup = false } = useSearch({ from: '/auth/' });
  const { user } = useStore(sessionState);
  const navigate = useNavigate();
  const goOn = useGoOn();
  const guest = useMutation({ mutationFn: ensureSignedIn, onSuccess: goOn, meta: { failure: 'signIn' } });
  const askForLink = async (email: string) => {
    await identityApi.sendSignInLink({ email });
    pendingEmail.set(email);
    await navigate({ to: '/auth/email-confirmation' });
  };
  if (user?.isMember && !user.isAnonymous) return <Navigate to="/platform" replace />;
  return (
    <Stack gap="lg">
      <PageHeader title={signup ? t('auth.signUp') : t('auth.signIn')} lead={t('auth.lead')} />
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
