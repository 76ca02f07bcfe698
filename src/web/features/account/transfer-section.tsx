import { Button, NativeSelect, Stack } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Member } from '../../../contract/member.ts';
import type { Organization } from '../../../contract/organization.ts';
import { api } from '../../api/api.ts';
import { t } from '../../messages/t.ts';
import { membersQuery } from '../../queries/people-queries.ts';
import { viewOf } from '../../queries/query-props.ts';
import { sessionState } from '../../session/session.ts';
import { useStore } from '../../store.ts';
import { toast } from '../../toast.ts';
import { Callout } from '../../ui/callout.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { Section } from '../../ui/section.tsx';

/** Transfers the organization to another member. */
export function TransferSection({ organization }: { organization: Organization }) {
  const { user } = useStore(sessionState);
  const members = useQuery(membersQuery(organization.id));
  return (
    <Section title={t('account.transfer')} lead={t('account.transferText')}>
      <QueryView {...viewOf(members)} shape="line">
        {(list) => {
          const others = list.filter(({ userId }) => userId !== user?.uid);
          if (others.length === 0) return <Callout>{t('account.transferNobody')}</Callout>;
          return <Transfer organization={organization} others={others} />;
        }}
      </QueryView>
    </Section>
  );
}

function Transfer({ organization: { id, name }, others }: { organization: Organization; others: Member[] }) {
  const [memberId, setMemberId] = useState('');
  const [asking, setAsking] = useState(false);
  const queryClient = useQueryClient();
  const chosen = others.find((member) => member.id === memberId);
  const transfer = useMutation({
    mutationFn: () => api.organization.transfer({ id, memberId }),
    onSuccess: async () => {
      setAsking(false);
      toast.success({ title: t('account.transferred', { name: chosen?.name ?? '' }) });
      await queryClient.invalidateQueries({ queryKey: ['role', id] });
      await queryClient.invalidateQueries({ queryKey: ['members', id] });
    },
    meta: { failure: 'updateOrganization' },
  });
  return (
    <Stack align="flex-start">
      <NativeSelect
        label={t('account.newOwner')}
        value={memberId}
        onChange={(event) => setMemberId(event.currentTarget.value)}
        data={[
          { value: '', label: t('account.chooseMember') },
          ...others.map((member) => ({
            value: member.id,
            label: member.email ? `${member.name} (${member.email})` : member.name,
          })),
        ]}
      />
      <Button variant="default" disabled={!chosen} onClick={() => setAsking(true)}>
        {t('account.transferAction')}
      </Button>
      <ConfirmDialog
        opened={asking}
        title={t('account.transfer')}
        text={t('account.transferConfirm', { organization: name, name: chosen?.name ?? '' })}
        action={t('account.transferAction')}
        typedName={name}
        busy={transfer.isPending}
        onConfirm={() => transfer.mutate()}
        onClose={() => setAsking(false)}
      />
    </Stack>
  );
}
