import { Stack } from '@mantine/core';
import { IconMailOff } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { ApiError } from '../../../contract/client.ts';
import { t } from '../../messages/t.ts';
import { describeError } from '../../queries/query-client.ts';
import { signInByLink } from '../../session/session.ts';
import { buttonClass } from '../../ui/button.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { useGoOn } from './after-sign-in.ts';
import { EmailForm } from '../../forms/email-form.tsx';
import { pendingEmail } from '../../session/pending-email.ts';

/**
 * The target of an emailed link. Opening the address signs nobody in, since programs that scan mail open addresses too:
 * the page itself sends the confirmation, once.
 */
export function EmailVerificationScreen() {
  const { token } = useSearch({ from: '/auth/email-verification' });
  const goOn = useGoOn();
  const confirm = useMutation({
    mutationFn: (email: string) => signInByLink({ email, token }),
    onSuccess: async () => {
      pendingEmail.remove();
      await goOn();
    },
    meta: { failure: 'signIn', quiet: true },
  });
  const [knownEmail] = useState(() => pendingEmail.get());
  const begun = useRef(false);
  const { mutate } = confirm;
  useEffect(() => {
    if (begun.current || !knownEmail || !token) return;
    begun.current = true;
    mutate(knownEmail);
  }, [mutate, knownEmail, token]);

  if (!token) return <Refused message={t('auth.invalidLink')} />;
  const { error } = confirm;
  const lacksEmail = error instanceof ApiError && error.code === 'auth/missing-email';
  if (error && mayGoThroughLater(error) && confirm.variables !== undefined)
    return <ErrorState bare message={describeError(error)} onRetry={() => mutate(confirm.variables)} />;
  if (error && !lacksEmail) return <Refused message={describeError(error)} />;
  if (confirm.isPending || confirm.isSuccess || (knownEmail && !error))
    return <Skeleton shape="row" titled />;
  return (
    <Stack gap="lg">
      <PageHeader title={t('auth.confirmEmail')} lead={error ? describeError(error) : t('auth.whichEmail')} />
      <EmailForm
        action={t('auth.confirm')}
        // An error replaces this form.
        onEmail={(email) => confirm.mutateAsync(email).then(noop, noop)}
      />
    </Stack>
  );
}

/** The link itself was not checked: there was no response, or not now. */
function mayGoThroughLater(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status >= 500);
}

const noop = (): void => {};

function Refused({ message }: { message: string }) {
  return (
    <Notice
      bare
      level={1}
      role="alert"
      icon={<IconMailOff size="1.25em" aria-hidden />}
      title={message}
      text={t('auth.askAnew')}
      action={
        <Link to="/auth" className={buttonClass('primary')}>
          {t('auth.newLink')}
        </Link>
      }
    />
  );
}
