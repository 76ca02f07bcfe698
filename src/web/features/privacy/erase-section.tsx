import { Button, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { laterApi } from '../../api/later-api.ts';
import { t } from '../../messages/t.ts';
import { useAgentId, useOrgId } from '../../routing/route-params.ts';
import { signOut } from '../../session/session.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Callout } from '../../ui/callout.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Section } from '../../ui/section.tsx';
import { useMay } from '../../session/use-role.ts';
import './messages.ts';

/** The word to type, as the API requires it. */
const WORD = 'erase';

/** Erases the signed-in person; they see the receipt, signed out. */
export function EraseMyself() {
  const [asking, setAsking] = useState(false);
  const erase = useMutation({
    mutationFn: async () => (await laterApi.privacy.erase({ confirmation: WORD })).erasure,
    onSuccess: async ({ token }) => {
      // What this browser knows of them goes as well: its storage, and what this page has loaded.
      localStorage.clear();
      sessionStorage.clear();
      await signOut();
      location.replace(`/erased/${token}`);
    },
    onError: () => setAsking(false),
    meta: { failure: 'erasePerson' },
  });
  return (
    <EraseSection
      title={t('privacy.erase')}
      text={t('privacy.eraseText')}
      asking={asking}
      busy={erase.isPending}
      onAsk={setAsking}
      onErase={() => erase.mutate()}
    />
  );
}

/** Erases what an agent has of one of its end users. */
export function EraseEndUser() {
  const id = useAgentId();
  const { userId = '' } = useParams({ strict: false });
  const [asking, setAsking] = useState(false);
  const erase = useMutation({
    mutationFn: async () => (await laterApi.privacy.eraseEndUser({ id, userId, confirmation: WORD })).erasure,
    onSettled: () => setAsking(false),
    meta: { failure: 'erasePerson' },
  });
  if (!useMay(useOrgId(), 'agent.write')) return null;
  if (erase.data)
    return (
      <Stack>
        <Callout>{t('privacy.erasing')}</Callout>
        <Link to="/erased/$token" params={{ token: erase.data.token }} className={buttonClass('plain')}>
          {t('privacy.openReceipt')}
        </Link>
      </Stack>
    );
  return (
    <EraseSection
      title={t('privacy.eraseUser')}
      text={t('privacy.eraseUserText')}
      asking={asking}
      busy={erase.isPending}
      onAsk={setAsking}
      onErase={() => erase.mutate()}
    />
  );
}

interface EraseSectionProps {
  title: string;
  text: string;
  asking: boolean;
  busy: boolean;
  onAsk: (asking: boolean) => void;
  onErase: () => void;
}

function EraseSection({ title, text, asking, busy, onAsk, onErase }: EraseSectionProps) {
  return (
    <Section title={title} lead={text}>
      <Button color="danger" onClick={() => onAsk(true)}>
        {title}
      </Button>
      <ConfirmDialog
        opened={asking}
        title={title}
        text={text}
        action={t('privacy.eraseAction')}
        typedName={WORD}
        busy={busy}
        onConfirm={onErase}
        onClose={() => onAsk(false)}
      />
    </Section>
  );
}
