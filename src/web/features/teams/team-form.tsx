import { Button, Stack, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Chatbot } from '../../../contract/chatbot.ts';
import type { Member } from '../../../contract/member.ts';
import { team as calls, type Team } from '../../../contract/team.ts';
import { laterApi } from '../../api/later-api.ts';
import { adoptSaved, changedIn, showFieldErrors, useStored, useValidForm } from '../../forms/form.ts';
import { useSaveOver } from '../../forms/save-over.ts';
import { t } from '../../messages/t.ts';
import { announceFailure } from '../../queries/query-client.ts';
import { toast } from '../../toast.ts';
import { Card } from '../../ui/card.tsx';
import { CheckList } from '../../ui/check-list.tsx';
import { UnsavedGuard } from '../../forms/unsaved-guard.tsx';

interface TeamFormProps {
  team: Team;
  members: readonly Member[];
  agents: readonly Chatbot[];
  /** Read-only. */
  locked: boolean;
}

const schema = calls.update.input.omit({ id: true, seen: true }).required();

export function TeamForm({ team, members, agents, locked }: TeamFormProps) {
  const { form, save } = useTeamForm(team);
  return (
    <Card kind="form">
      <UnsavedGuard changed={form.isDirty()} />
      <form noValidate onSubmit={form.onSubmit((values) => save.mutate(values))}>
        <Stack gap="lg">
          <TextInput label={t('account.name')} disabled={locked} {...form.getInputProps('name')} />
          <CheckList
            legend={t('members.title')}
            hint={t('teams.membersHint')}
            none={t('members.notFound')}
            options={members.map(({ userId, name, email }) => ({
              value: userId,
              label: email ? `${name} (${email})` : name,
            }))}
            disabled={locked}
            chosen={form.values.members}
            onChange={(chosen) => form.setFieldValue('members', chosen)}
          />
          <CheckList
            legend={t('nav.agents')}
            hint={t('teams.agentsHint')}
            none={t('agents.none')}
            options={agents.map(({ id, name }) => ({ value: id, label: name }))}
            disabled={locked}
            chosen={form.values.agents}
            onChange={(chosen) => form.setFieldValue('agents', chosen)}
          />
          {!locked && (
            <div>
              <Button type="submit" loading={save.isPending} disabled={!form.isDirty()}>
                {t('ui.save')}
              </Button>
            </div>
          )}
        </Stack>
      </form>
    </Card>
  );
}

function useTeamForm({ id, organizationId, name, members, agents }: Team) {
  const queryClient = useQueryClient();
  const stored = { name, members, agents };
  const form = useValidForm({
    initial: stored,
    schema,
    labels: { name: t('account.name'), members: t('members.title'), agents: t('nav.agents') },
  });
  const saveOver = useSaveOver(useStored(form, stored), {
    send: (changes: Partial<typeof stored>) => laterApi.team.update({ id, ...changes }),
    storedOf: ({ team }) => team,
    onChanged: () => queryClient.invalidateQueries({ queryKey: ['teams', organizationId] }),
  });
  const save = useMutation({
    mutationFn: (values: typeof stored) => saveOver(changedIn(form, values)),
    onSuccess: async ({ team }, sent) => {
      adoptSaved(form, sent, { name: team.name, members: team.members, agents: team.agents });
      toast.success({ title: t('ui.saved') });
      await queryClient.invalidateQueries({ queryKey: ['teams', organizationId] });
      await queryClient.invalidateQueries({ queryKey: ['members', organizationId] });
    },
    onError: (error) => showFieldErrors(form, error) || announceFailure(error),
    meta: { failure: 'updateTeam', quiet: true },
  });
  return { form, save };
}
