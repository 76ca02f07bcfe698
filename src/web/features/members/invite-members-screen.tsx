import { Button, Stack, Textarea } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { INVITE_LIFETIME_HOURS } from '../../../contract/limits.ts';
import { NewInvite } from '../../../contract/member.ts';
import { api } from '../../api/api.ts';
import { showFieldErrors, useValidForm } from '../../forms/form.ts';
import { t } from '../../messages/t.ts';
import { NoRoom, useIsFull } from '../../parts/no-room.tsx';
import { Permitted } from '../../session/permitted.tsx';
import { announceFailure } from '../../queries/query-client.ts';
import { useOrgId } from '../../routing/route-params.ts';
import { email as isEmail, required } from '../../forms/rules.ts';
import { toast } from '../../toast.ts';
import { Card } from '../../ui/card.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { UnsavedGuard } from '../../forms/unsaved-guard.tsx';
import { RoleSelect, type GivenRole } from './role-select.tsx';
import { TeamChoice } from './team-choice.tsx';

interface Values extends Record<string, unknown> {
  email: string;
  role: GivenRole;
  teams: string[];
}

/** Invites one or more people by email. */
export function InviteMembersScreen() {
  const title = t('members.invite');
  return (
    <Permitted permission="organization.manage" title={title}>
      <PageHeader title={title} lead={t('members.inviteLead', { hours: INVITE_LIFETIME_HOURS })} />
      <InviteForm orgId={useOrgId()} />
    </Permitted>
  );
}

const schema = NewInvite.omit({ organizationId: true });

function InviteForm({ orgId }: { orgId: string }) {
  const labels = { email: t('members.addresses'), role: t('members.role'), teams: t('teams.title') };
  const form = useValidForm<Values>({
    initial: { email: '', role: 'viewer', teams: [] },
    schema,
    labels,
    check: ({ email }): Record<string, string> =>
      required(email) && isEmail(email, { multiple: true })
        ? {}
        : { email: t('form.notValid', { field: labels.email }) },
  });
  const invite = useInvite(orgId, (error) => showFieldErrors(form, error));
  const isFull = useIsFull(orgId, 'members');
  return (
    <Card kind="form">
      <UnsavedGuard changed={form.isDirty() && !invite.isPending && !invite.isSuccess} />
      <form noValidate onSubmit={form.onSubmit((values) => invite.mutate(values))}>
        <Stack>
          {isFull && <NoRoom orgId={orgId} kind="members" />}
          <Textarea
            label={labels.email}
            description={t('members.addressesHint')}
            placeholder={t('members.addressesExample')}
            autosize
            minRows={2}
            maxRows={8}
            {...form.getInputProps('email')}
            error={
              form.errors['email'] ??
              Object.entries(form.errors).find(([path]) => path.startsWith('email.'))?.[1]
            }
          />
          <RoleSelect value={form.values.role} onChange={(role) => form.setFieldValue('role', role)} />
          <TeamChoice
            orgId={orgId}
            chosen={form.values.teams}
            onChange={(teams) => form.setFieldValue('teams', teams)}
          />
          <div>
            <Button type="submit" loading={invite.isPending} disabled={isFull}>
              {t('members.sendInvites')}
            </Button>
          </div>
        </Stack>
      </form>
    </Card>
  );
}

function useInvite(orgId: string, onRefused: (error: unknown) => boolean) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (values: Values) => api.member.invite({ organizationId: orgId, ...values }),
    onSuccess: async ({ invites }) => {
      toast.success({ title: t('members.invited#', { count: invites.length }) });
      await queryClient.invalidateQueries({ queryKey: ['invites', orgId] });
      await navigate({ to: '/platform/{-$orgId}/account/members', params: { orgId } });
    },
    onError: (error) => onRefused(error) || announceFailure(error),
    meta: { failure: 'createInvite', quiet: true },
  });
}
