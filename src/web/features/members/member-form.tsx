import { Button, Stack } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Member } from '../../../contract/member.ts';
import { api } from '../../api.ts';
import { t } from '../../messages/t.ts';
import { toast } from '../../toast.ts';
import { Section } from '../../ui/section.tsx';
import { UnsavedGuard } from '../../unsaved-guard.tsx';
import { RoleSelect, type GivenRole } from './role-select.tsx';
import { TeamChoice } from './team-choice.tsx';

/** What a member may do, and in which teams. */
export function MemberForm({ orgId, member: { id, ...member } }: { orgId: string; member: Member }) {
  const [role, setRole] = useState<GivenRole>(member.role === 'owner' ? 'admin' : member.role);
  const [teams, setTeams] = useState<string[]>(member.teams);
  const queryClient = useQueryClient();
  const save = useMutation({
    mutationFn: () => api.member.update({ id, role, teams }),
    onSuccess: () => toast.success({ title: t('ui.saved') }),
    onSettled: async () => {
      await queryClient.invalidateQueries({ queryKey: ['members', orgId] });
      await queryClient.invalidateQueries({ queryKey: ['teams', orgId] });
    },
    meta: { failure: 'updateMember' },
  });
  const isChanged = role !== member.role || teams.toSorted().join() !== member.teams.toSorted().join();
  return (
    <Section title={t('members.access')} lead={t('members.accessLead')}>
      <UnsavedGuard changed={isChanged} />
      <form
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate();
        }}
      >
        <Stack>
          <RoleSelect value={role} onChange={setRole} />
          <TeamChoice orgId={orgId} chosen={teams} onChange={setTeams} />
          <div>
            <Button type="submit" loading={save.isPending} disabled={!isChanged}>
              {t('ui.save')}
            </Button>
          </div>
        </Stack>
      </form>
    </Section>
  );
}
