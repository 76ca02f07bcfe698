import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Role } from '../../../contract/access.ts';
import type { Organization } from '../../../contract/organization.ts';
import { api } from '../../api/api.ts';
import { t } from '../../messages/t.ts';
import { toast } from '../../toast.ts';
import { Callout } from '../../ui/callout.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Section } from '../../ui/section.tsx';
import { leaveKey } from '../../session/use-access-watch.ts';

interface LeaveSectionProps {
  organization: Organization;
  role: Role;
}

/** An owner transfers the organization before leaving it. */
export function LeaveSection({ organization: { id, name }, role }: LeaveSectionProps) {
  const [asking, setAsking] = useState(false);
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const leave = useMutation({
    mutationKey: leaveKey(id),
    mutationFn: () => api.organization.leave({ id }),
    onSuccess: async () => {
      toast.success({ title: t('account.left', { name }) });
      await navigate({ to: '/platform', replace: true });
      await queryClient.invalidateQueries({ queryKey: ['organizations'] });
    },
    meta: { failure: 'updateOrganization' },
  });
  return (
    <Section title={t('account.leave')} lead={t('account.leaveText')}>
      {role === 'owner' ? (
        <Callout>{t('account.ownerStays')}</Callout>
      ) : (
        <Button variant="default" onClick={() => setAsking(true)}>
          {t('account.leave')}
        </Button>
      )}
      <ConfirmDialog
        opened={asking}
        title={t('account.leaveName', { name })}
        text={t('account.leaveText')}
        action={t('account.leave')}
        busy={leave.isPending}
        onConfirm={() => leave.mutate()}
        onClose={() => setAsking(false)}
      />
    </Section>
  );
}
