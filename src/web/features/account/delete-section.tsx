import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Organization } from '../../../contract/organization.ts';
import { api } from '../../api/api.ts';
import { lastOrganization } from '../../session/current-organization.ts';
import { t } from '../../messages/t.ts';
import { toast } from '../../toast.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Section } from '../../ui/section.tsx';
import { leaveKey } from '../../session/use-access-watch.ts';

/** Deletes the organization with everything in it; only its owner sees this. */
export function DeleteSection({ organization: { id, name } }: { organization: Organization }) {
  const [asking, setAsking] = useState(false);
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const remove = useMutation({
    // A person who deletes it is also leaving it: no message says that their access has ended.
    mutationKey: leaveKey(id),
    mutationFn: () => api.organization.remove({ id, name }),
    onSuccess: async () => {
      lastOrganization.remove();
      toast.success({ title: t('account.organizationDeleted', { name }) });
      await queryClient.invalidateQueries({ queryKey: ['organizations'], exact: true });
      await navigate({ to: '/platform', replace: true });
    },
    meta: { failure: 'updateOrganization' },
  });
  return (
    <Section title={t('account.deleteOrganization')} lead={t('account.deleteOrganizationText')}>
      <Button color="danger" onClick={() => setAsking(true)}>
        {t('account.deleteOrganization')}
      </Button>
      <ConfirmDialog
        opened={asking}
        title={t('account.deleteOrganization')}
        text={t('account.deleteOrganizationText')}
        action={t('ui.delete')}
        typedName={name}
        busy={remove.isPending}
        onConfirm={() => remove.mutate()}
        onClose={() => setAsking(false)}
      />
    </Section>
  );
}
