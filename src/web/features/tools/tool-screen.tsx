import { Button, Stack, Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { OutputOf } from '../../../contract/route.ts';
import type { Tool, tool as contract } from '../../../contract/tool.ts';
import { t } from '../../messages/t.ts';
import { isWithoutSecret, toolQuery } from '../../queries/agent-queries.ts';
import { pageOf } from '../../queries/query-props.ts';
import { useAgentId, useOrgId } from '../../routing/route-params.ts';
import { Badge } from '../../ui/badge.tsx';
import { Callout } from '../../ui/callout.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { useMay } from '../../session/use-role.ts';
import { Calls } from './calls.tsx';
import { ConnectionForm } from './connection-form.tsx';
import { DocumentSection } from './document-section.tsx';
import { LeadForm } from './lead-form.tsx';
import { MemberAccount } from './member-account.tsx';
import { Operations } from './operations.tsx';
import { views, type View } from './place.ts';
import { SitesForm } from './sites-form.tsx';
import { NameSection, RemoveSection } from './tool-settings.tsx';
import { Trial } from './trial.tsx';
import style from './tools.module.css';
import { useUpdateTool } from './use-tools.ts';
import './messages.ts';

/** A tool: what the agent may use of it and when, its connection, and its calls. */
export function ToolScreen({ view }: { view?: View | undefined }) {
  const { toolId } = useParams({ from: '/platform/{-$orgId}/agent/$agentId/plugins/tool/$toolId' });
  const found = useQuery(toolQuery(useAgentId(), toolId));
  return (
    <QueryView {...pageOf(found)}>
      {(whole) => <WholeTool key={toolId} {...whole} view={view ?? 'operations'} />}
    </QueryView>
  );
}

type WholeToolProps = OutputOf<typeof contract.get> & { view: View };

function WholeTool({ tool, operations, view }: WholeToolProps) {
  const mayWrite = useMay(useOrgId(), 'agent.write');
  return (
    <>
      <PageHeader
        title={tool.name}
        lead={<Lead tool={tool} />}
        actions={mayWrite && <PauseButton tool={tool} />}
      />
      <Stack>
        {!mayWrite && <Callout>{t('tools.mayNotWrite')}</Callout>}
        <StateOfTool tool={tool} />
        <Views tool={tool} operations={operations} view={view} mayWrite={mayWrite} />
      </Stack>
    </>
  );
}

/** An imported tool without its secret can't simply be resumed; nor can one whose document requires a secret. */
function StateOfTool({ tool }: { tool: Tool }) {
  const isPaused = tool.status === 'paused';
  if (isWithoutSecret(tool))
    return <Callout>{t(isPaused ? 'tools.pausedWithoutSecret' : 'tools.activeWithoutSecret')}</Callout>;
  return isPaused ? <Callout>{t('tools.pausedText')}</Callout> : null;
}

function Lead({ tool: { kind, serverUrl, status } }: { tool: Tool }) {
  return (
    <span className={style['lead']}>
      <Badge tone={status === 'active' ? 'good' : 'neutral'}>{t(`tools.status.${status}`)}</Badge>
      <span>{t(`tools.kind.${kind}`)}</span>
      {serverUrl && <span className={style['address']}>{serverUrl}</span>}
    </span>
  );
}

function PauseButton({ tool }: { tool: Tool }) {
  const update = useUpdateTool(tool);
  const isActive = tool.status === 'active';
  return (
    <Button
      variant="default"
      loading={update.isPending}
      onClick={() => update.mutate({ status: isActive ? 'paused' : 'active' })}
    >
      {isActive ? t('tools.pause') : t('tools.resume')}
    </Button>
  );
}

/** A tool's connection; for a built-in one, its additional settings. */
function Connection({ tool, mayWrite }: { tool: Tool; mayWrite: boolean }) {
  return tool.kind === 'builtin' ? (
    <Stack gap="lg">
      <LeadForm tool={tool} mayWrite={mayWrite} />
      <SitesForm tool={tool} mayWrite={mayWrite} />
    </Stack>
  ) : (
    <Stack gap="lg">
      <ConnectionForm tool={tool} mayWrite={mayWrite} />
      {mayWrite && tool.kind === 'mcp' && tool.authentication.type === 'authorizationCode' && (
        <MemberAccount tool={tool} />
      )}
      {tool.kind === 'openapi' && <DocumentSection tool={tool} mayWrite={mayWrite} />}
    </Stack>
  );
}

/** The views with fields. */
const keptViews: ReadonlySet<View> = new Set(['connection', 'trial', 'settings']);

/** Unsaved input in one view survives looking at another. */
function Views({ tool, operations, view, mayWrite }: WholeToolProps & { mayWrite: boolean }) {
  const orgId = useOrgId();
  const navigate = useNavigate();
  const show = (next: View) =>
    void navigate({
      to: '/platform/{-$orgId}/agent/$agentId/plugins/tool/$toolId',
      params: { orgId, agentId: tool.agentId, toolId: tool.id },
      search: { view: next },
      resetScroll: false,
    });
  const contents: Record<View, ReactNode> = {
    operations: <Operations tool={tool} operations={operations} mayWrite={mayWrite} />,
    connection: <Connection tool={tool} mayWrite={mayWrite} />,
    trial: <Trial tool={tool} operations={operations} />,
    calls: <Calls tool={tool} />,
    settings: (
      <Stack gap="lg">
        <NameSection tool={tool} mayWrite={mayWrite} />
        {mayWrite && <RemoveSection tool={tool} />}
      </Stack>
    ),
  };
  // A trial has real effects.
  const shown = views.filter((each) => mayWrite || each !== 'trial');
  return (
    <Tabs value={view} onChange={(value) => value && show(value as View)}>
      <Tabs.List>
        {shown.map((each) => (
          <Tabs.Tab key={each} value={each}>
            {each === 'connection' && tool.kind === 'builtin' ? t('tools.sitesAndForm') : t(`tools.${each}`)}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {shown.map((each) => (
        <Tabs.Panel key={each} value={each} pt="md">
          {(each === view || keptViews.has(each)) && contents[each]}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
