import { Button, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { SIGN_IN_LINK_LIFETIME_MINUTES } from '../../../contract/limits.ts';
import { api } from '../../api/api.ts';
import { EmailForm } from '../../forms/email-form.tsx';
import { t } from '../../messages/t.ts';
import { providersQuery } from '../../queries/queries.ts';
import { pendingEmail } from '../../session/pending-email.ts';
import { carryPageOver, rememberPage } from '../../session/return-to.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Modal } from '../../ui/modal.tsx';

/** Another address to sign in with: its link opens in another tab, and this page shows the new address then. */
export function ChangeEmail({ path }: { path: string }) {
  const [opened, setOpened] = useState(false);
  const [sentTo, setSentTo] = useState<string | null>(null);
  const ask = async (email: string) => {
    await api.identity.changeEmail({ email });
    pendingEmail.set(email);
    rememberPage(path);
    carryPageOver();
    setSentTo(email);
  };
  const open = () => {
    setSentTo(null);
    setOpened(true);
  };
  return (
    <>
      <Button variant="default" size="xs" aria-label={t('account.changeEmail')} onClick={open}>
        {t('account.change')}
      </Button>
      <Modal opened={opened} onClose={() => setOpened(false)} title={t('account.changeEmail')}>
        <Stack>
          {sentTo === null ? (
            <>
              <p>{t('account.changeEmailText')}</p>
              <EmailForm action={t('account.addEmailSend')} onEmail={ask} />
            </>
          ) : (
            <Sent email={sentTo} />
          )}
        </Stack>
      </Modal>
    </>
  );
}

function Sent({ email }: { email: string }) {
  const mail = useQuery(providersQuery()).data?.mail ?? 'sent';
  const minutes = SIGN_IN_LINK_LIFETIME_MINUTES;
  return (
    <>
      <p role="status">
        {mail === 'sent' && t('account.changeEmailSent', { email, minutes })}
        {mail === 'none' && t('auth.leadNoMail')}
        {mail === 'inbox' && t('auth.notSentInbox', { minutes })}
      </p>
      {mail === 'inbox' && (
        <a href="/dev/inbox" target="_blank" rel="noreferrer" className={buttonClass('primary')}>
          {t('auth.openInbox')}
        </a>
      )}
    </>
  );
}
