import { Button, NativeSelect, Stack } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Chatbot } from '../../../contract/chatbot.ts';
import type { Organization } from '../../../contract/organization.ts';
import { laterApi } from '../../api/later-api.ts';
import { t } from '../../messages/t.ts';
import { organizationsQuery } from '../../queries/queries.ts';
import { viewOf } from '../../queries/query-props.ts';
import { useOrgId } from '../../routing/route-params.ts';
import { toast } from '../../toast.ts';
import { Callout } from '../../ui/callout.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { Section } from '../../ui/section.tsx';
import { toldApart } from './told-apart.ts';

/** Moves the agent to another organization that the person also manages. */
export function TransferAgentSection({ agent }: { agent: Chatbot }) {
  const orgId = useOrgId();
  const organizations = useQuery(organizationsQuery());
  return (
    <Section title={t('keeping.transfer')} lead={t('keeping.transferText')}>
      <QueryView {...viewOf(organizations)} shape="line">
        {(all) => {
          const others = all.filter(({ id }) => id !== orgId);
          if (others.length === 0) return <Callout>{t('keeping.transferNowhere')}</Callout>;
          return <Transfer agent={agent} others={others} />;
        }}
      </QueryView>
    </Section>
  );
}

function Transfer({ agent, others }: { agent: Chatbot; others: readonly Organization[] }) {
  const [toId, setToId] = useState('');
  const [asking, setAsking] = useState(false);
  const chosen = others.find(({ id }) => id === toId);
  const transfer = useTransfer(agent, chosen, () => setAsking(false));
  return (
    <Stack align="flex-start">
      <NativeSelect
        label={t('keeping.transferTo')}
        value={toId}
        onChange={({ currentTarget }) => setToId(currentTarget.value)}
        data={[{ value: '', label: t('keeping.transferChoose') }, ...toldApart(others)]}
      />
      <Button variant="default" disabled={!chosen} onClick={() => setAsking(true)}>
        {t('keeping.transferAction')}
      </Button>
      <ConfirmDialog
        opened={asking}
        title={t('keeping.transfer')}
        text={t('keeping.transferText')}
        action={t('keeping.transferAction')}
        typedName={agent.name}
        busy={transfer.isPending}
        onConfirm={() => transfer.mutate()}
        onClose={() => setAsking(false)}
      />
    </Stack>
  );
}

function useTransfer({ id, name }: Chatbot, to: Organization | undefined, onSettled: () => void) {
  const organizationId = useOrgId();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () =>
      laterApi.agentKeeping.transfer({ id, organizationId, toOrganizationId: to?.id ?? '', name }),
    onSuccess: async ({ missingModels }) => {
      const models = missingModels.join(', ');
      toast.success({
        title: t('keeping.transferred', { name: to?.name ?? '' }),
        ...(models && { message: t('keeping.missingModels', { models }) }),
      });
      await navigate({
        to: '/platform/{-$orgId}/agent/$agentId/home',
        params: { orgId: to?.id, agentId: id },
      });
      await queryClient.invalidateQueries({ queryKey: ['agents'] });
    },
    onSettled,
    meta: { failure: 'updateChatbot' },
  });
}
