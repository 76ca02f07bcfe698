import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Member } from '../../../contract/member.ts';
import { api } from '../../api/api.ts';
import { t } from '../../messages/t.ts';
import { membersQuery } from '../../queries/people-queries.ts';
import { toast } from '../../toast.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Section } from '../../ui/section.tsx';

/** Ends a member's access at once. What they made stays. */
export function RemoveMember({ orgId, member: { id, name } }: { orgId: string; member: Member }) {
  const [asking, setAsking] = useState(false);
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const remove = useMutation({
    mutationFn: () => api.member.remove({ id }),
    onSuccess: async () => {
      toast.success({ title: t('members.removed'), message: name });
      await navigate({
        to: '/platform/{-$orgId}/account/members',
        params: { orgId },
        ignoreBlocker: true,
      });
      await queryClient.invalidateQueries({
        queryKey: membersQuery(orgId).queryKey,
        exact: true,
      });
    },
    meta: { failure: 'deleteMember' },
  });
  return (
    <Section title={t('members.remove')} lead={t('members.removeText')}>
      <Button color="danger" onClick={() => setAsking(true)}>
        {t('members.remove')}
      </Button>
      <ConfirmDialog
        opened={asking}
        title={t('members.removeName', { name })}
        text={t('members.removeText')}
        action={t('members.remove')}
        typedName={name.trim()}
        busy={remove.isPending}
        onConfirm={() => remove.mutate()}
        onClose={() => setAsking(false)}
      />
    </Section>
  );
}
