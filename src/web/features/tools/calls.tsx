import { Button } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { Fragment, useState } from 'react';
import type { Tool, ToolCallEntry } from '../../../contract/tool.ts';
import { formatNumber } from '../../format.ts';
import { t } from '../../messages/t.ts';
import { listOf, moreOf } from '../../queries/query-props.ts';
import { useOrgId } from '../../routing/route-params.ts';
import { toast } from '../../toast.ts';
import { Cell, DataTable } from '../../ui/data-table.tsx';
import { Notice } from '../../ui/notice.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { RowOpener } from '../../ui/row-opener.tsx';
import { ShowMore } from '../../ui/show-more.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { useMay } from '../../session/use-role.ts';
import { CallState } from './call-state.tsx';
import style from './tools.module.css';
import { CodePart } from './trial-result.tsx';
import { indented } from './trial-values.ts';
import { useToolCalls, useUpdateTool } from './use-tools.ts';

/** A tool's calls, by the agent or in a trial. */
export function Calls({ tool }: { tool: Tool }) {
  const log = useToolCalls(tool);
  return (
    <QueryView {...listOf(log, (page) => page.calls)}>
      {(list) =>
        list.length === 0 ? (
          <Notice
            icon={<IconHistory size="1.25em" aria-hidden />}
            title={t('tools.callsNone')}
            text={t('tools.callsNoneText')}
          />
        ) : (
          <div className={style['part']}>
            <CallsTable tool={tool} calls={list} />
            <ShowMore {...moreOf(log)} />
          </div>
        )
      }
    </QueryView>
  );
}

function CallsTable({ tool, calls }: { tool: Tool; calls: readonly ToolCallEntry[] }) {
  const [opened, setOpened] = useState<string | null>(null);
  const columns = [
    t('tools.operation'),
    t('tools.state'),
    t('tools.by'),
    t('tools.duration'),
    t('tools.when'),
  ];
  return (
    <DataTable label={t('tools.calls')} columns={columns}>
      {calls.map((call) => (
        <Fragment key={call.id}>
          <Row
            call={call}
            opened={opened === call.id}
            onToggle={() => setOpened(opened === call.id ? null : call.id)}
          />
          {opened === call.id && (
            <tr id={`${call.id}-detail`}>
              <td colSpan={columns.length} className={style['callDetail']}>
                <Detail tool={tool} call={call} />
              </td>
            </tr>
          )}
        </Fragment>
      ))}
    </DataTable>
  );
}

interface RowProps {
  call: ToolCallEntry;
  opened: boolean;
  onToggle: () => void;
}

function Row({ call, opened, onToggle }: RowProps) {
  const { id, operationId, summary, state, status, durationMs, conversationId, createdAt } = call;
  return (
    <tr>
      <Cell kind="main">
        <RowOpener
          title={summary || operationId}
          detail={operationId}
          opened={opened}
          controls={`${id}-detail`}
          onToggle={onToggle}
        />
      </Cell>
      <Cell>
        <span className={style['signature']}>
          <CallState state={state} result={call.result} />
          {status !== null && <span className={style['soft']}>{status}</span>}
        </span>
      </Cell>
      <Cell kind="faint">{conversationId === null ? t('tools.byTrial') : t('tools.byAgent')}</Cell>
      <Cell kind="faint">
        {durationMs !== null && (
          <span className={style['noWrap']}>{t('tools.milliseconds', { ms: formatNumber(durationMs) })}</span>
        )}
      </Cell>
      <Cell kind="faint">
        <span className={style['noWrap']}>
          <TimeAgo at={createdAt} />
        </span>
      </Cell>
    </tr>
  );
}

function Detail({ tool, call }: { tool: Tool; call: ToolCallEntry }) {
  return (
    <div className={style['part']}>
      {call.state === 'done' && tool.kind !== 'builtin' && <RecordButton tool={tool} call={call} />}
      <CodePart
        title={t('tools.arguments')}
        code={JSON.stringify(call.arguments, null, 2)}
        none={t('tools.noResult')}
      />
      <CodePart
        title={t('tools.result')}
        code={call.result === null ? null : indented(call.result)}
        none={t('tools.noResult')}
      />
    </div>
  );
}

/** Uses this call's response for dry runs. */
function RecordButton({ tool, call: { id, operationId } }: { tool: Tool; call: ToolCallEntry }) {
  const mayWrite = useMay(useOrgId(), 'agent.write');
  const update = useUpdateTool(tool, { onSaved: () => toast.success({ title: t('tools.fixtureUsed') }) });
  if (!mayWrite) return null;
  return (
    <div>
      <Button
        variant="default"
        size="xs"
        loading={update.isPending}
        onClick={() => update.mutate({ operations: [{ id: operationId, fixture: id }] })}
      >
        {t('tools.fixtureUse')}
      </Button>
    </div>
  );
}
