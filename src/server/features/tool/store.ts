import { and, asc, count, desc, eq, inArray, isNotNull, isNull, lt, sql, type SQL } from 'drizzle-orm';
import type { PlanType } from '../../../contract/plans.ts';
import type { LeadField } from '../../../contract/lead.ts';
import type { Authentication, CallPolicy } from '../../../contract/tool.ts';
import { theOne } from '../../db/rows.ts';
import {
  agent,
  message,
  organization,
  tool,
  toolCall,
  toolOperation,
  type JsonSchema,
} from '../../db/schema/index.ts';
import type { Tx } from '../../db/scope.ts';
import { newId } from '../../id.ts';

export type StoredTool = typeof tool.$inferSelect;
export type StoredOperation = typeof toolOperation.$inferSelect;
export type ListedTool = StoredTool & { enabledOperations: number };
export type ToolChanges = Partial<
  Pick<
    StoredTool,
    | 'name'
    | 'status'
    | 'serverUrl'
    | 'servers'
    | 'leftOut'
    | 'cutAfter'
    | 'documentUrl'
    | 'hasDocument'
    | 'authentication'
    | 'hosts'
    | 'form'
    | 'secret'
  >
>;

const enabledOperations = sql<number>`(select count(*)::int from tool_operation o
  where o.tool_id = tool.id and o.organization_id = tool.organization_id and o.enabled)`;

const isTool = ({ organizationId, id }: Pick<StoredTool, 'organizationId' | 'id'>) =>
  and(eq(tool.id, id), eq(tool.organizationId, organizationId));

/** Oldest first. */
export async function listTools(tx: Tx, organizationId: string, agentId: string): Promise<ListedTool[]> {
  const rows = await tx
    .select({ tool, enabledOperations })
    .from(tool)
    .where(and(eq(tool.organizationId, organizationId), eq(tool.agentId, agentId)))
    .orderBy(asc(tool.createdAt), asc(tool.id));
  return rows.map((row) => ({ ...row.tool, enabledOperations: row.enabledOperations }));
}

/** Only of an agent that is not deleted and that `seen` lets the reader see; with `lock`, nobody else changes it meanwhile. */
export async function findTool(
  tx: Tx,
  organizationId: string,
  id: string,
  seen: SQL | undefined,
  { lock = false } = {},
): Promise<StoredTool | undefined> {
  const query = tx
    .select({ tool })
    .from(tool)
    .innerJoin(agent, and(eq(agent.id, tool.agentId), eq(agent.organizationId, tool.organizationId)))
    .where(and(isTool({ organizationId, id }), isNull(agent.deletedAt), seen));
  const [found] = await (lock ? query.for('no key update', { of: tool }) : query);
  return found?.tool;
}

/**
 * With the plan that limits them. The next caller to count this agent's tools waits until this transaction ends, so the
 * numbers stay true.
 */
export async function countTools(
  tx: Tx,
  organizationId: string,
  agentId: string,
): Promise<{ tools: number; functions: number; planType: PlanType }> {
  await tx
    .select({ id: agent.id })
    .from(agent)
    .where(and(eq(agent.organizationId, organizationId), eq(agent.id, agentId)))
    .for('no key update');
  const ofAgent = and(eq(tool.organizationId, organizationId), eq(tool.agentId, agentId));
  const [row] = await tx.select({ tools: count() }).from(tool).where(ofAgent);
  const [told] = await tx
    .select({ functions: count() })
    .from(toolOperation)
    .innerJoin(
      tool,
      and(eq(tool.id, toolOperation.toolId), eq(tool.organizationId, toolOperation.organizationId)),
    )
    .where(and(ofAgent, eq(toolOperation.enabled, true)));
  const [plan] = await tx
    .select({ planType: organization.planType })
    .from(organization)
    .where(eq(organization.id, organizationId));
  return { tools: row?.tools ?? 0, functions: told?.functions ?? 0, planType: plan?.planType ?? 'FREE_PLAN' };
}

export async function insertTool(
  tx: Tx,
  values: Pick<StoredTool, 'organizationId' | 'agentId' | 'kind' | 'name' | 'authentication'> &
    Partial<Pick<StoredTool, 'id'>> &
    Omit<ToolChanges, 'secret'>,
): Promise<StoredTool> {
  const [made] = await tx
    .insert(tool)
    .values({ id: newId('tool'), ...values })
    .returning();
  return made as StoredTool;
}

export async function updateTool(tx: Tx, key: StoredTool, changes: ToolChanges): Promise<StoredTool> {
  const changed = await tx
    .update(tool)
    .set({ ...changes, updatedAt: sql`now()` })
    .where(isTool(key))
    .returning();
  return theOne(changed);
}

/** An answer waiting for one of its calls would wait forever: it counts as interrupted, so that it can be requested again. */
export async function deleteTool(tx: Tx, key: StoredTool): Promise<void> {
  const { organizationId, id } = key;
  const open = await tx
    .selectDistinct({ id: sql<string>`${toolCall.messageId}` })
    .from(toolCall)
    .where(
      and(
        eq(toolCall.toolId, id),
        eq(toolCall.organizationId, organizationId),
        inArray(toolCall.state, ['waiting', 'allowed']),
        isNotNull(toolCall.messageId),
      ),
    );
  // Locks calls before their answers, in the order a decision does: a decision that comes first is kept.
  await tx.delete(tool).where(isTool(key));
  if (open.length === 0) return;
  const ids = open.map((each) => each.id);
  await tx
    .update(message)
    .set({ state: 'incomplete', updatedAt: sql`now()` })
    .where(
      and(inArray(message.id, ids), eq(message.organizationId, organizationId), eq(message.state, 'waiting')),
    );
}

const ofTool = ({ organizationId, id }: Pick<StoredTool, 'organizationId' | 'id'>) =>
  and(eq(toolOperation.toolId, id), eq(toolOperation.organizationId, organizationId));

/** In the order of the document. */
export async function listOperations(
  tx: Tx,
  key: Pick<StoredTool, 'organizationId' | 'id'>,
): Promise<StoredOperation[]> {
  return tx.select().from(toolOperation).where(ofTool(key)).orderBy(asc(toolOperation.position));
}

export async function findOperation(
  tx: Tx,
  key: Pick<StoredTool, 'organizationId' | 'id'>,
  id: string,
): Promise<StoredOperation | undefined> {
  const [found] = await tx
    .select()
    .from(toolOperation)
    .where(and(ofTool(key), eq(toolOperation.id, id)));
  return found;
}

/** Replaces all operations with those of the new document. */
export async function replaceOperations(
  tx: Tx,
  key: StoredTool,
  operations: Omit<StoredOperation, 'toolId' | 'organizationId' | 'position'>[],
): Promise<void> {
  await tx.delete(toolOperation).where(ofTool(key));
  const rows = operations.map((operation, position) => ({
    ...operation,
    position,
    toolId: key.id,
    organizationId: key.organizationId,
  }));
  await insertOperations(tx, rows);
}

export async function insertOperations(tx: Tx, rows: StoredOperation[]): Promise<void> {
  // In batches: a statement has at most 65,535 parameters.
  for (let from = 0; from < rows.length; from += 1000)
    await tx.insert(toolOperation).values(rows.slice(from, from + 1000));
}

/** Saves the caller's choices for operations. Unknown ones are ignored. */
export async function chooseOperations(
  tx: Tx,
  key: StoredTool,
  choices: { id: string; enabled?: boolean | undefined; policy?: StoredOperation['policy'] | undefined }[],
): Promise<void> {
  if (choices.length === 0) return;
  const given = JSON.stringify(choices);
  await tx
    .update(toolOperation)
    .set({
      enabled: sql`coalesce(given.enabled, ${toolOperation.enabled})`,
      policy: sql`coalesce(given.policy, ${toolOperation.policy})`,
    })
    .from(sql`jsonb_to_recordset(${given}::jsonb) as given(id text, enabled boolean, policy text)` as never)
    .where(and(ofTool(key), sql`given.id = ${toolOperation.id}`));
}

/** Records a call's response as a fixture, or removes it. False for a call of something else, or one that didn't succeed. */
export async function setFixture(
  tx: Tx,
  key: StoredTool,
  id: string,
  callId: string | null,
): Promise<boolean> {
  const [call] =
    callId === null
      ? [{ result: null }]
      : await tx
          .select({ result: sql<string>`coalesce(${toolCall.result}, '')` })
          .from(toolCall)
          .where(
            and(
              eq(toolCall.organizationId, key.organizationId),
              eq(toolCall.id, callId),
              eq(toolCall.toolId, key.id),
              eq(toolCall.operationId, id),
              eq(toolCall.state, 'done'),
            ),
          );
  if (!call) return false;
  await tx
    .update(toolOperation)
    .set({ fixture: call.result })
    .where(and(ofTool(key), eq(toolOperation.id, id)));
  return true;
}

/** Which of these IDs exist. */
export async function knownOperations(tx: Tx, key: StoredTool, ids: string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await tx
    .select({ id: toolOperation.id })
    .from(toolOperation)
    .where(and(ofTool(key), inArray(toolOperation.id, ids)));
  return new Set(rows.map(({ id }) => id));
}

/** An operation offered to an agent, as a turn reads it. */
export interface OfferedOperation {
  toolId: string;
  toolName: string;
  toolKind: StoredTool['kind'];
  operationId: string;
  functionName: string;
  method: string;
  summary: string;
  description: string;
  inputSchema: JsonSchema;
  policy: CallPolicy;
  authentication: Authentication;
  form: LeadField[];
  /** According to its server. */
  onlyReads: boolean;
}

/** The built-in operation that asks the person to fill in the tool's form. */
export const COLLECT_LEAD = 'collectLead';
/** Requests a person to answer instead of the agent. */
export const HAND_OVER = 'handOver';

/** Whether a call is made by filling in a form. */
export function isForm({
  toolKind,
  operationId,
}: Pick<OfferedOperation, 'toolKind' | 'operationId'>): boolean {
  return toolKind === 'builtin' && operationId === COLLECT_LEAD;
}

/** The host where end users sign in with their own account; undefined if they need none. */
export function signInHost(authentication: Authentication): string | undefined {
  return authentication.type === 'authorizationCode'
    ? new URL(authentication.authorizationUrl).host
    : undefined;
}

/** All of them, oldest tool first; null for none. Part of the statement that begins a turn. */
export function offeredSql(organizationId: SQL, agentId: SQL): SQL {
  return sql`(select json_agg(json_build_object('toolId', t.id, 'toolName', t.name, 'toolKind', t.kind, 'operationId', o.id,
      'functionName', o.function_name, 'method', o.method, 'summary', coalesce(nullif(o.summary, ''), o.id),
      'description', o.description, 'inputSchema', o.input_schema, 'policy', o.policy,
      'authentication', t.authentication, 'form', t.form,
      'onlyReads', o.plan ? 'onlyReads') order by t.created_at, t.id, o.position)
    from tool t join tool_operation o on o.tool_id = t.id and o.organization_id = t.organization_id
   where t.organization_id = ${organizationId} and t.agent_id = ${agentId} and t.status = 'active' and o.enabled
     and o.policy <> 'deny' and (t.kind <> 'builtin' or o.id <> '${sql.raw(COLLECT_LEAD)}' or t.form <> '[]'::jsonb))`;
}

/** The tool and this operation as they are now, if the agent may call it. */
export async function findCallable(
  tx: Tx,
  key: { organizationId: string; toolId: string; operationId: string },
): Promise<{ tool: StoredTool; operation: StoredOperation } | undefined> {
  const [found] = await tx
    .select({ tool, operation: toolOperation })
    .from(tool)
    .innerJoin(
      toolOperation,
      and(eq(toolOperation.toolId, tool.id), eq(toolOperation.organizationId, tool.organizationId)),
    )
    .where(
      and(
        isTool({ organizationId: key.organizationId, id: key.toolId }),
        eq(toolOperation.id, key.operationId),
        eq(tool.status, 'active'),
        eq(toolOperation.enabled, true),
        sql`${toolOperation.policy} <> 'deny'`,
      ),
    );
  return found;
}

export type StoredCall = typeof toolCall.$inferSelect;

/**
 * Newest first; `before` is the ID of the last one seen. Excludes temporary conversations, whose end users wanted to
 * leave no trace, and deleted ones.
 */
export async function listCalls(
  tx: Tx,
  { organizationId, id }: StoredTool,
  { count: most, before }: { count: number; before: string | undefined },
): Promise<StoredCall[]> {
  return tx
    .select()
    .from(toolCall)
    .where(
      and(
        eq(toolCall.toolId, id),
        eq(toolCall.organizationId, organizationId),
        sql`not exists (select from conversation c where c.id = "tool_call"."conversation_id"
          and (c.deleted_at is not null or (c.temporary and c.agent_version is null)))`,
        before === undefined ? undefined : lt(toolCall.id, before),
      ),
    )
    .orderBy(desc(toolCall.id))
    .limit(most);
}

/** Records a member's trial. */
export async function insertTrial(
  tx: Tx,
  { organizationId, toolId, id, functionName, summary }: StoredOperation,
  outcome: Pick<StoredCall, 'arguments' | 'state' | 'result' | 'status' | 'durationMs'>,
): Promise<void> {
  await tx.insert(toolCall).values({
    id: newId('toolCall'),
    organizationId,
    toolId,
    operationId: id,
    functionName,
    summary,
    step: 0,
    position: 0,
    modelCallId: '',
    ...outcome,
  });
}
