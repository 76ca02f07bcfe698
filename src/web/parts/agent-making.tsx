import { Button, Group, Progress, Stack } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { AgentImport } from '../../contract/agent-file.ts';
import { laterApi } from '../api/later-api.ts';
import { formatNumber } from '../format.ts';
import { t } from '../messages/t.ts';
import { describeError } from '../queries/query-client.ts';
import { useOrgId } from '../routing/route-params.ts';
import { toast } from '../toast.ts';
import { Callout } from '../ui/callout.tsx';
import { Modal } from '../ui/modal.tsx';

const POLL_MS = 500;

interface AgentMakingProps {
  /** Of an agent creation in progress. */
  importId: string;
  title: string;
  onClose: () => void;
}

/** Shows the progress of an agent being created from a file or another agent, and opens it when it is ready. */
export function AgentMaking({ importId, title, onClose }: AgentMakingProps) {
  const organizationId = useOrgId();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const { data, error } = useQuery({
    queryKey: ['agent-import', importId],
    queryFn: async ({ signal }) =>
      (await laterApi.agentFile.getImport({ importId, organizationId }, { signal })).import,
    refetchInterval: ({ state }) => (isUnderWay(state.data) ? POLL_MS : false),
    meta: { failure: 'getChatbot', quiet: true },
  });
  const agentId = data?.state === 'ready' ? data.chatbotId : null;
  useEffect(() => {
    if (agentId === null) return;
    toast.success({ title: t('keeping.imported') });
    void queryClient.invalidateQueries({ queryKey: ['agents', organizationId] });
    void navigate({
      to: '/platform/{-$orgId}/agent/$agentId/home',
      params: { orgId: organizationId, agentId },
    });
    onClose();
  }, [agentId, organizationId, navigate, queryClient, onClose]);
  const failure = error ? describeError(error) : data?.error;
  return (
    <Modal opened onClose={onClose} title={title}>
      <Stack>
        {failure ? (
          <Callout tone="bad">
            <p>{t('keeping.failed')}</p>
            <p>{failure}</p>
          </Callout>
        ) : (
          <HowFar making={data} title={title} />
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('ui.close')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

function isUnderWay(making: AgentImport | undefined): boolean {
  return making?.state !== 'ready' && making?.state !== 'failed';
}

function HowFar({ making, title }: { making: AgentImport | undefined; title: string }) {
  const { done = 0, total = 0 } = making ?? {};
  const said =
    total === 0
      ? t('keeping.counting')
      : t('keeping.writing', { done: formatNumber(done), total: formatNumber(total) });
  return (
    <>
      <p role="status">{said}</p>
      <Progress aria-label={title} value={total === 0 ? 0 : (100 * done) / total} />
    </>
  );
}
