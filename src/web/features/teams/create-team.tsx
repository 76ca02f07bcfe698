import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { team as calls } from '../../../contract/team.ts';
import { laterApi } from '../../api/later-api.ts';
import { showFieldErrors, useValidForm } from '../../forms/form.ts';
import { t } from '../../messages/t.ts';
import { announceFailure } from '../../queries/query-client.ts';
import { NameDialog } from '../../ui/name-dialog.tsx';

const schema = calls.create.input.pick({ name: true });

interface CreateTeamProps {
  orgId: string;
  opened: boolean;
  onClose: () => void;
}

/** Creates a team and opens it, to add members and agents. */
export function CreateTeam({ orgId, opened, onClose }: CreateTeamProps) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const form = useValidForm({ initial: { name: '' }, schema, labels: { name: t('account.name') } });
  const create = useMutation({
    mutationFn: async ({ name }: { name: string }) =>
      (await laterApi.team.create({ organizationId: orgId, name })).team,
    onSuccess: async ({ id }) => {
      await queryClient.invalidateQueries({ queryKey: ['teams', orgId] });
      await navigate({ to: '/platform/{-$orgId}/account/teams/$teamId', params: { orgId, teamId: id } });
    },
    onError: (error) => showFieldErrors(form, error) || announceFailure(error),
    meta: { failure: 'createTeam', quiet: true },
  });
  return (
    <NameDialog
      opened={opened}
      title={t('teams.create')}
      label={t('account.name')}
      placeholder={t('teams.nameExample')}
      input={form.getInputProps('name')}
      action={t('teams.create')}
      busy={create.isPending}
      onSubmit={form.onSubmit((values) => create.mutate(values))}
      onClose={onClose}
    />
  );
}
