import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/api.ts';
import { t } from '../../messages/t.ts';
import { adoptSession, renewed } from '../../session/session.ts';
import { toast } from '../../toast.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Section } from '../../ui/section.tsx';

export function SessionsSection() {
  const [asking, setAsking] = useState(false);
  const navigate = useNavigate();
  const end = useMutation({
    mutationFn: async () => {
      await renewed();
      return api.identity.signOutEverywhere();
    },
    onSuccess: async ({ ended }) => {
      await navigate({ to: '/', replace: true });
      adoptSession(null);
      toast.success({ title: t('account.sessionsEnded#', { count: ended }) });
    },
    meta: { failure: 'signOut' },
  });
  return (
    <Section title={t('account.sessions')} lead={t('account.sessionsLead')}>
      <Button variant="default" onClick={() => setAsking(true)}>
        {t('account.signOutEverywhere')}
      </Button>
      <ConfirmDialog
        opened={asking}
        title={t('account.signOutEverywhere')}
        text={t('account.signOutEverywhereText')}
        action={t('account.signOutEverywhere')}
        busy={end.isPending}
        onConfirm={() => end.mutate()}
        onClose={() => setAsking(false)}
      />
    </Section>
  );
}
