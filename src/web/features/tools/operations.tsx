import { Button, NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { TOOL_MCP_FUNCTIONS_MAX } from '../../../contract/limits.ts';
import { callPolicies, type Tool, type ToolOperation } from '../../../contract/tool.ts';
import { formatNumber } from '../../format.ts';
import { t } from '../../messages/t.ts';
import { Notice } from '../../ui/notice.tsx';
import { SearchInput } from '../../ui/search-input.tsx';
import { ShowMore } from '../../ui/show-more.tsx';
import { DocumentSection } from './document-section.tsx';
import { OperationRow } from './operation-row.tsx';
import style from './tools.module.css';
import { useChooseOperations } from './use-tools.ts';

/** A document can have thousands; this many more are shown at a time. */
const SHOWN_AT_ONCE = 50;

const filters = ['All', 'On', 'Off'] as const;
type Filter = (typeof filters)[number];

interface OperationsProps {
  tool: Tool;
  operations: readonly ToolOperation[];
  mayWrite: boolean;
}

/** Everything a tool can do, and what the agent may use of it. */
export function Operations({ tool, operations, mayWrite }: OperationsProps) {
  const [search, setSearch] = useState('');
  const [filter, setFilter] = useState<Filter>('All');
  const [limit, setLimit] = useState(SHOWN_AT_ONCE);
  const choose = useChooseOperations(tool);
  const found = operations.filter((operation) => isFound(operation, search, filter));
  if (operations.length === 0) return <NoOperations tool={tool} mayWrite={mayWrite} />;
  return (
    <section className={style['part']} aria-label={t('tools.operations')}>
      <Policies />
      <div className={style['filters']}>
        <SearchInput label={t('tools.operationSearch')} value={search} onChange={setSearch} />
        <NativeSelect
          aria-label={t('tools.operationShown')}
          data={filters.map((value) => ({ value, label: t(`tools.operation${value}`) }))}
          value={filter}
          onChange={({ currentTarget }) => setFilter(currentTarget.value as Filter)}
        />
      </div>
      <Summary operations={operations} mayWrite={mayWrite} onChoose={choose.mutate} />
      <LeftOut {...tool} />
      {found.length === 0 ? (
        <Notice title={t('tools.operationsNotFound')} text={t('tools.operationsNotFoundText')} />
      ) : (
        <ul className={style['operations']}>
          {found.slice(0, limit).map((operation) => (
            <OperationRow
              key={operation.id}
              operation={operation}
              disabled={!mayWrite}
              onChoose={(choice) => choose.mutate([{ id: operation.id, ...choice }])}
            />
          ))}
        </ul>
      )}
      <ShowMore isMore={found.length > limit} onMore={() => setLimit(limit + SHOWN_AT_ONCE)} />
    </section>
  );
}

function isFound({ enabled, ...operation }: ToolOperation, search: string, filter: Filter): boolean {
  if (filter !== 'All' && enabled !== (filter === 'On')) return false;
  const { id, method, path, summary } = operation;
  return `${id} ${method} ${path} ${summary}`.toLowerCase().includes(search.trim().toLowerCase());
}

/** A document can contain thousands that nobody can call. */
const NAMED_AT_MOST = 20;

/** Functions its server lists, or its document names, that nobody can call. */
function LeftOut({ kind, leftOut, cutAfter }: Pick<Tool, 'kind' | 'leftOut' | 'cutAfter'>) {
  const named = (name: string) => name || t('tools.leftOutNameless');
  const isCut = leftOut.length > NAMED_AT_MOST;
  const names = [...leftOut.slice(0, NAMED_AT_MOST).map(named), ...(isCut ? ['…'] : [])].join(', ');
  const [count, limit] = [leftOut.length, TOOL_MCP_FUNCTIONS_MAX];
  const words = kind === 'mcp' ? 'tools.leftOut#' : 'tools.leftOutOfDocument#';
  return (
    <>
      {count > 0 && <p className={style['soft']}>{t(words, { count, names })}</p>}
      {cutAfter !== null && (
        <p className={style['soft']}>{t('tools.cutAfter', { count: limit, name: named(cutAfter) })}</p>
      )}
    </>
  );
}

/** The texts for the call policies. */
function Policies() {
  return (
    <dl className={style['policies']}>
      {callPolicies.map((policy) => (
        <div key={policy}>
          <dt>{t(`tools.policy.${policy}`)}</dt>
          <dd>{t(`tools.policyText.${policy}`)}</dd>
        </div>
      ))}
    </dl>
  );
}

interface SummaryProps {
  operations: readonly ToolOperation[];
  mayWrite: boolean;
  onChoose: ReturnType<typeof useChooseOperations>['mutate'];
}

/** The counts, and bulk actions. */
function Summary({ operations, mayWrite, onChoose }: SummaryProps) {
  const on = operations.filter(({ enabled }) => enabled);
  const reading = operations.filter(({ method, enabled }) => isReading(method) && !enabled);
  const set = (chosen: readonly ToolOperation[], enabled: boolean) =>
    onChoose(chosen.map(({ id }) => ({ id, enabled })));
  const count = operations.length;
  return (
    <div className={style['summary']}>
      <p className={style['soft']} role="status">
        {t('tools.operationsCount#', {
          count,
          number: formatNumber(count),
          enabled: formatNumber(on.length),
        })}
      </p>
      {mayWrite && (
        <div className={style['acts']}>
          {operations.some(({ method }) => isReading(method)) && (
            <Button
              variant="default"
              size="xs"
              disabled={reading.length === 0}
              onClick={() => set(reading, true)}
            >
              {t('tools.enableReading')}
            </Button>
          )}
          <Button variant="default" size="xs" disabled={on.length === 0} onClick={() => set(on, false)}>
            {t('tools.disableAll')}
          </Button>
        </div>
      )}
    </div>
  );
}

function isReading(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** What to do if there is nothing to call. */
export function neededFor({ kind }: Tool) {
  return kind === 'mcp' ? 'tools.serverNeeded' : 'tools.documentNeeded';
}

/** A tool that never got its document or server, or got one that offers nothing. */
function NoOperations({ tool, mayWrite }: { tool: Tool; mayWrite: boolean }) {
  return (
    <div className={style['part']}>
      <Notice title={t('tools.operationsNone')} text={t(neededFor(tool))} />
      <LeftOut {...tool} />
      {mayWrite && tool.kind === 'openapi' && <DocumentSection tool={tool} mayWrite />}
    </div>
  );
}
