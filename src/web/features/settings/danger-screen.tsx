import { Button, Stack } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import type { Chatbot } from '../../../contract/chatbot.ts';
import { api } from '../../api/api.ts';
import { laterApi } from '../../api/later-api.ts';
import { t } from '../../messages/t.ts';
import { announceFailure } from '../../queries/query-client.ts';
import { useOrgId } from '../../routing/route-params.ts';
import { toast } from '../../toast.ts';
import { Callout } from '../../ui/callout.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Section } from '../../ui/section.tsx';
import { useMay } from '../../session/use-role.ts';
import { DuplicateSection, ExportSection } from './copies-section.tsx';
import { WithAgent } from './settings-form.tsx';
import { TransferAgentSection } from './transfer-agent-section.tsx';

/** `data`: how long conversations are kept. */
export function DangerScreen({ data }: { data: ReactNode }) {
  return <WithAgent>{(agent) => <Danger agent={agent} data={data} />}</WithAgent>;
}

function Danger({ agent, data }: { agent: Chatbot; data: ReactNode }) {
  const mayWrite = useMay(useOrgId(), 'agent.write');
  const mayManage = useMay(useOrgId(), 'organization.manage');
  const bought = useIsBought(agent.id) ? ` ${t('keeping.bought')}` : '';
  return (
    <Stack gap="lg">
      {!mayWrite && <Callout>{t('settings.mayNotWrite')}</Callout>}
      <ExportSection agent={agent} disabled={!mayWrite} />
      <DuplicateSection agent={agent} disabled={!mayWrite} />
      {data}
      {mayManage && <TransferAgentSection agent={agent} />}
      <RemoveAgent
        agent={agent}
        permanently={false}
        title={t('settings.delete')}
        text={t('settings.deleteText') + bought}
        disabled={!mayWrite}
      />
      <RemoveAgent
        agent={agent}
        permanently
        title={t('settings.deletePermanently')}
        text={t('settings.deletePermanentlyText') + bought}
        disabled={!mayWrite}
      />
    </Stack>
  );
}

/** Whether somebody has paid for the agent and still has access: the person deleting it is told first. */
function useIsBought(agentId: string): boolean {
  const { data: products } = useQuery({
    queryKey: ['products', agentId, 'bought'],
    queryFn: async ({ signal }) => (await laterApi.product.list({ agentId }, { signal })).products,
    meta: { failure: 'getProducts', quiet: true },
  });
  return (
    products?.some(({ entitled, paymentConfig }) => entitled > 0 && paymentConfig.kind !== 'free') ?? false
  );
}

interface RemoveAgentProps {
  agent: Chatbot;
  /** With everything that belongs to it, and without the 30 days for restoring it. */
  permanently: boolean;
  title: string;
  text: string;
  disabled: boolean;
}

function RemoveAgent({ agent, permanently, title, text, disabled }: RemoveAgentProps) {
  const organizationId = useOrgId();
  const [asking, setAsking] = useState(false);
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const remove = useMutation({
    mutationFn: () => api.chatbot.remove({ id: agent.id, organizationId, permanently }),
    onSuccess: async () => {
      const restore = () =>
        void laterApi.agentKeeping
          .restore({ id: agent.id, organizationId })
          .then(() => queryClient.invalidateQueries({ queryKey: ['agents', organizationId] }))
          .catch((error: unknown) => announceFailure(error, { failure: 'updateChatbot' }));
      toast.success({
        title: t('settings.deleted'),
        message: agent.name,
        ...(!permanently && { action: { text: t('keeping.undo'), run: restore } }),
      });
      await navigate({ to: '/platform/{-$orgId}/agent', params: { orgId: organizationId } });
      await queryClient.invalidateQueries({ queryKey: ['agents', organizationId], exact: true });
    },
    meta: { failure: 'deleteChatbot' },
  });
  return (
    <Section title={title} lead={text}>
      <Button
        color={permanently ? 'danger' : 'gray'}
        variant={permanently ? 'filled' : 'default'}
        disabled={disabled}
        onClick={() => setAsking(true)}
      >
        {title}
      </Button>
      <ConfirmDialog
        opened={asking}
        title={title}
        text={text}
        action={t('ui.delete')}
        typedName={agent.name}
        busy={remove.isPending}
        onConfirm={() => remove.mutate()}
        onClose={() => setAsking(false)}
      />
    </Section>
  );
}
