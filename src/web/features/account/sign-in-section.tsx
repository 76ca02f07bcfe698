import { Button, Stack } from '@mantine/core';
import { useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import type { AuthUser } from '../../../contract/identity.ts';
import { EmailForm } from '../../forms/email-form.tsx';
import { GoogleButton } from '../../session/google-button.tsx';
import { t } from '../../messages/t.ts';
import { rememberPage } from '../../session/return-to.ts';
import { Callout } from '../../ui/callout.tsx';
import { Modal } from '../../ui/modal.tsx';
import { Section } from '../../ui/section.tsx';
import { useAskForLink } from '../../session/use-ask-for-link.ts';
import style from './account.module.css';
import { ProviderRow } from './provider-row.tsx';

/** The person's sign-in methods, and those they could add. */
export function SignInSection({ user }: { user: AuthUser }) {
  const path = useLocation({ select: ({ pathname }) => pathname });
  const providers = user.providerData;
  const has = (id: 'google' | 'email') => providers.some(({ providerId }) => providerId === id);
  return (
    <Section title={t('account.signIn')} lead={t('account.signInLead')}>
      <Stack>
        {providers.length === 0 && <Callout tone="bad">{t('account.noEmail')}</Callout>}
        {providers.length > 0 && (
          <ul className={style['rows']}>
            {providers.map((provider) => (
              <ProviderRow
                key={provider.providerId}
                provider={provider}
                isLast={providers.length === 1}
                path={path}
              />
            ))}
          </ul>
        )}
        <div className={style['buttons']}>
          {!has('email') && user.email === null && <AddEmail path={path} />}
          {!has('google') && <GoogleButton label={t('account.linkGoogle')} returnTo={path} />}
        </div>
      </Stack>
    </Section>
  );
}

function AddEmail({ path }: { path: string }) {
  const [opened, setOpened] = useState(false);
  const askForLink = useAskForLink();
  const ask = (email: string) => {
    rememberPage(path);
    return askForLink(email);
  };
  return (
    <>
      <Button onClick={() => setOpened(true)}>{t('account.addEmail')}</Button>
      <Modal opened={opened} onClose={() => setOpened(false)} title={t('account.addEmail')}>
        <Stack>
          <p>{t('account.addEmailText')}</p>
          <EmailForm action={t('account.addEmailSend')} onEmail={ask} />
        </Stack>
      </Modal>
    </>
  );
}
