import { Stack } from '@mantine/core';
import { IconPlug, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { t } from '../../messages/t.ts';
import { toolsQuery } from '../../queries/agent-queries.ts';
import { isAddedAbove, viewOf } from '../../queries/query-props.ts';
import { useAgentId, useOrgId } from '../../routing/route-params.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { useMay } from '../../session/use-role.ts';
import { Leads } from './leads.tsx';
import { ToolsTable } from './tools-table.tsx';
import './messages.ts';

/** What an agent can do besides answering, and where else it is available. */
export function ToolsScreen({ plugins }: { plugins: ReactNode }) {
  const agentId = useAgentId();
  const mayWrite = useMay(useOrgId(), 'agent.write');
  const tools = useQuery(toolsQuery(agentId));
  const add = mayWrite && <AddLink />;
  return (
    <>
      <PageHeader
        title={t('tools.title')}
        lead={mayWrite ? t('tools.lead') : t('tools.mayNotWrite')}
        actions={isAddedAbove(tools.data, tools.error) && add}
      />
      <Stack gap="xl">
        <QueryView {...viewOf(tools)}>
          {(found) =>
            found.length === 0 ? (
              <Notice
                icon={<IconPlug size="1.25em" aria-hidden />}
                title={t('tools.none')}
                text={mayWrite ? t('tools.noneText') : t('tools.noneReading')}
                action={add}
              />
            ) : (
              <ToolsTable tools={found} mayWrite={mayWrite} />
            )
          }
        </QueryView>
        <Leads agentId={agentId} mayWrite={mayWrite} />
        {plugins}
      </Stack>
    </>
  );
}

function AddLink() {
  return (
    <Link
      to="/platform/{-$orgId}/agent/$agentId/plugins/create"
      params={{ orgId: useOrgId(), agentId: useAgentId() }}
      className={buttonClass('primary')}
    >
      <IconPlus size="1.15em" aria-hidden />
      {t('tools.add')}
    </Link>
  );
}
