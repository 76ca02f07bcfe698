import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Invite } from '../../../contract/member.ts';
import { api } from '../../api/api.ts';
import { t } from '../../messages/t.ts';
import { toast } from '../../toast.ts';

export function ResendInvite({ invite: { id, organizationId, email } }: { invite: Invite }) {
  const queryClient = useQueryClient();
  const resend = useMutation({
    mutationFn: () => api.member.resendInvite({ id }),
    onSuccess: () => toast.success({ title: t('invites.resent'), message: email }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['invites', organizationId] }),
    meta: { failure: 'updateInvite' },
  });
  return (
    <Button
      variant="default"
      size="xs"
      loading={resend.isPending}
      aria-label={t('invites.resendTo', { email })}
      onClick={() => resend.mutate()}
    >
      {t('invites.resend')}
    </Button>
  );
}
