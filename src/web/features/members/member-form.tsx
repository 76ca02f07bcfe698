import { Button, Stack } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { member as calls, type Member } from '../../../contract/member.ts';
import { api } from '../../api/api.ts';
import { adoptSaved, changedIn, useStored, useValidForm } from '../../forms/form.ts';
import { t } from '../../messages/t.ts';
import { toast } from '../../toast.ts';
import { Section } from '../../ui/section.tsx';
import { UnsavedGuard } from '../../forms/unsaved-guard.tsx';
import { RoleSelect, type GivenRole } from './role-select.tsx';
import { TeamChoice } from './team-choice.tsx';

interface Values extends Record<string, unknown> {
  role: GivenRole;
  teams: string[];
}

const schema = calls.update.input.omit({ id: true }).required();

/** A member's permissions and teams. Saves only what was changed here: the rest may be somebody else's concurrent change. */
export function MemberForm({ orgId, member }: { orgId: string; member: Member }) {
  const { form, save } = useMemberForm(orgId, member);
  const { role, teams } = form.values;
  return (
    <Section title={t('members.access')} lead={t('members.accessLead')}>
      <UnsavedGuard changed={form.isDirty()} />
      <form noValidate onSubmit={form.onSubmit((values) => save.mutate(values))}>
        <Stack>
          <RoleSelect value={role} onChange={(chosen) => form.setFieldValue('role', chosen)} />
          <TeamChoice
            orgId={orgId}
            chosen={teams}
            onChange={(chosen) => form.setFieldValue('teams', chosen.toSorted())}
          />
          <div>
            <Button type="submit" loading={save.isPending} disabled={!form.isDirty()}>
              {t('ui.save')}
            </Button>
          </div>
        </Stack>
      </form>
    </Section>
  );
}

function useMemberForm(orgId: string, member: Member) {
  const queryClient = useQueryClient();
  const stored = valuesOf(member);
  const form = useValidForm<Values>({
    initial: stored,
    schema,
    labels: { role: t('members.role'), teams: t('teams.title') },
  });
  useStored(form, stored);
  const save = useMutation({
    mutationFn: async (values: Values) =>
      (await api.member.update({ id: member.id, ...changedIn(form, values) })).member,
    onSuccess: (saved, sent) => {
      adoptSaved(form, sent, valuesOf(saved));
      toast.success({ title: t('ui.saved') });
    },
    onSettled: async () => {
      await queryClient.invalidateQueries({ queryKey: ['members', orgId] });
      await queryClient.invalidateQueries({ queryKey: ['teams', orgId] });
    },
    meta: { failure: 'updateMember' },
  });
  return { form, save };
}

/** An owner's role can't be changed here. */
const valuesOf = ({ role, teams }: Member): Values => ({
  role: role === 'owner' ? 'admin' : role,
  teams: teams.toSorted(),
});
