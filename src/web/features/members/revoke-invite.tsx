import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Invite } from '../../../contract/member.ts';
import { api } from '../../api/api.ts';
import { t } from '../../messages/t.ts';
import { toast } from '../../toast.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';

export function RevokeInvite({ invite: { id, organizationId, email } }: { invite: Invite }) {
  const [asking, setAsking] = useState(false);
  const queryClient = useQueryClient();
  const revoke = useMutation({
    mutationFn: () => api.member.revokeInvite({ id }),
    onSuccess: () => {
      setAsking(false);
      toast.success({ title: t('invites.revoked'), message: email });
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['invites', organizationId] }),
    meta: { failure: 'updateInvite' },
  });
  return (
    <>
      <Button
        variant="default"
        size="xs"
        aria-label={t('invites.revokeTo', { email })}
        onClick={() => setAsking(true)}
      >
        {t('invites.revoke')}
      </Button>
      <ConfirmDialog
        opened={asking}
        title={t('invites.revokeTo', { email })}
        text={t('invites.revokeText')}
        action={t('invites.revoke')}
        busy={revoke.isPending}
        onConfirm={() => revoke.mutate()}
        onClose={() => setAsking(false)}
      />
    </>
  );
}
