import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Team } from '../../../contract/team.ts';
import { laterApi } from '../../api/later-api.ts';
import { t } from '../../messages/t.ts';
import { teamsQuery } from '../../queries/people-queries.ts';
import { toast } from '../../toast.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Section } from '../../ui/section.tsx';

export function DeleteTeam({ orgId, team: { id, name } }: { orgId: string; team: Team }) {
  const [asking, setAsking] = useState(false);
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const remove = useMutation({
    mutationFn: () => laterApi.team.remove({ id }),
    onSuccess: async () => {
      toast.success({ title: t('teams.deleted'), message: name });
      await navigate({ to: '/platform/{-$orgId}/account/teams', params: { orgId } });
      await queryClient.invalidateQueries({ queryKey: teamsQuery(orgId).queryKey, exact: true });
    },
    meta: { failure: 'deleteTeam' },
  });
  return (
    <Section title={t('teams.delete')} lead={t('teams.deleteText')}>
      <Button color="danger" onClick={() => setAsking(true)}>
        {t('teams.delete')}
      </Button>
      <ConfirmDialog
        opened={asking}
        title={t('teams.delete')}
        text={t('teams.deleteText')}
        action={t('ui.delete')}
        typedName={name.trim()}
        busy={remove.isPending}
        onConfirm={() => remove.mutate()}
        onClose={() => setAsking(false)}
      />
    </Section>
  );
}
