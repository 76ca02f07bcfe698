import { and, desc, eq, lt, sql, type SQL } from 'drizzle-orm';
import type { VersionSettings } from '../../../contract/version.ts';
import { settingsOf, withSettings } from '../../access/agent-settings.ts';
import type { Agent } from '../../access/gate.ts';
import { agent, agentVersion, apiKey, user } from '../../db/schema/index.ts';
import type { Tx } from '../../db/scope.ts';
import { holdsAll, wordsOf } from '../../db/words.ts';
import { nameOfItem } from '../knowledge/store.ts';

type StoredVersion = typeof agentVersion.$inferSelect;

/** With the names of who saved and who published it; empty for people who are gone. */
export interface ListedVersion extends Omit<StoredVersion, 'settings' | 'knowledge'> {
  author: string;
  publisher: string;
}

export interface ReadVersion extends ListedVersion, Pick<StoredVersion, 'settings' | 'knowledge'> {}

/** What the agent knows now. */
const known = sql`(select coalesce(json_agg(json_build_object('id', k.id, 'revision', k.revision, 'title', ${nameOfItem}) order by k.id), '[]')
  from knowledge k where k.organization_id = ${agentVersion.organizationId} and k.agent_id = ${agentVersion.agentId}
    and k.state = 'ready')::jsonb`;

const isVersion = ({ id, organizationId }: Pick<Agent, 'id' | 'organizationId'>, number: number | SQL) =>
  and(
    eq(agentVersion.organizationId, organizationId),
    eq(agentVersion.agentId, id),
    eq(agentVersion.number, number),
  );

/** Stores the agent's settings as the version with its current number. */
export async function insertVersion(
  tx: Tx,
  ofAgent: Agent,
  { createdBy, note = '' }: { createdBy: string | null; note?: string },
): Promise<void> {
  const { id: agentId, organizationId, version: number } = ofAgent;
  await tx
    .insert(agentVersion)
    .values({ organizationId, agentId, number, settings: settingsOf(ofAgent), note, createdBy });
  await rememberKnown(tx, ofAgent, number);
}

async function rememberKnown(tx: Tx, ofAgent: Agent, number: number): Promise<void> {
  await tx.update(agentVersion).set({ knowledge: known }).where(isVersion(ofAgent, number));
}

/** The version being tried in a conversation: its own, or the draft for 0. For a join with `agent`. */
export const isTried = (tried: SQL): SQL =>
  sql`agent_version.organization_id = agent.organization_id and agent_version.agent_id = agent.id
    and agent_version.number = case ${tried} when 0 then agent.version else ${tried} end`;

/** Joins an agent's draft if it differs from the live version. */
export const isOtherDraft = sql`agent_version.organization_id = agent.organization_id and agent_version.agent_id = agent.id
  and agent_version.number = agent.version and agent.live_version <> agent.version`;

/** The agent as its editors see it: with the draft's settings. */
export function asDraft(live: Agent, draft: Pick<StoredVersion, 'number' | 'settings'> | null): Agent {
  return draft ? withSettings(live, draft.number, draft.settings) : live;
}

/** The same for an agent read on its own. */
export async function readDraft(tx: Tx, live: Agent): Promise<Agent> {
  if (live.liveVersion === null || live.liveVersion === live.version) return live;
  return asDraft(live, (await findSettings(tx, live, live.version)) ?? null);
}

export async function findSettings(
  tx: Tx,
  ofAgent: Agent,
  number: number,
): Promise<Pick<StoredVersion, 'number' | 'settings'> | undefined> {
  const [found] = await tx
    .select({ number: agentVersion.number, settings: agentVersion.settings })
    .from(agentVersion)
    .where(isVersion(ofAgent, number));
  return found;
}

const nameOf = (id: SQL): SQL<string> =>
  sql`coalesce((select u.name from ${user} u where u.id = ${id}),
    (select 'API key ' || k.name from ${apiKey} k where k.id = ${id}), '')`;

const listed = {
  organizationId: agentVersion.organizationId,
  agentId: agentVersion.agentId,
  number: agentVersion.number,
  note: agentVersion.note,
  createdBy: agentVersion.createdBy,
  createdAt: agentVersion.createdAt,
  publishedAt: agentVersion.publishedAt,
  publishedBy: agentVersion.publishedBy,
  author: nameOf(sql`${agentVersion.createdBy}`),
  publisher: nameOf(sql`${agentVersion.publishedBy}`),
};

const shown = sql`concat_ws(' ', ${agentVersion.number}, ${agentVersion.note}, ${listed.author}, ${listed.publisher})`;

/** Newest first; `before` is a version number. */
export async function listVersions(
  tx: Tx,
  { id, organizationId }: Agent,
  { count, before, search }: { count: number; before?: number | undefined; search?: string | undefined },
): Promise<ListedVersion[]> {
  return tx
    .select(listed)
    .from(agentVersion)
    .where(
      and(
        eq(agentVersion.organizationId, organizationId),
        eq(agentVersion.agentId, id),
        before === undefined ? undefined : lt(agentVersion.number, before),
        search ? holdsAll(shown, wordsOf(search)) : undefined,
      ),
    )
    .orderBy(desc(agentVersion.number))
    .limit(count);
}

export async function findVersion(tx: Tx, ofAgent: Agent, number: number): Promise<ReadVersion | undefined> {
  const [found] = await tx
    .select({ ...listed, settings: agentVersion.settings, knowledge: agentVersion.knowledge })
    .from(agentVersion)
    .where(isVersion(ofAgent, number));
  return found;
}

export async function annotateVersion(tx: Tx, ofAgent: Agent, number: number, note: string): Promise<void> {
  await tx.update(agentVersion).set({ note }).where(isVersion(ofAgent, number));
}

/** Makes these settings the newest draft; also live as long as nothing has ever been published. The agent must be locked. */
export async function saveDraft(
  tx: Tx,
  ofAgent: Agent,
  settings: VersionSettings,
  by: { createdBy: string; note?: string },
): Promise<Agent> {
  const isLive = ofAgent.liveVersion === null;
  const [row] = await tx
    .update(agent)
    .set({ ...(isLive ? settings : {}), version: sql`${agent.version} + 1`, updatedAt: sql`now()` })
    .where(and(eq(agent.organizationId, ofAgent.organizationId), eq(agent.id, ofAgent.id)))
    .returning();
  const saved = row as Agent;
  const draft = withSettings(saved, saved.version, settings);
  await insertVersion(tx, draft, by);
  return draft;
}

/** From now on everybody gets this version. Returns the number of the previous live version. */
export async function publishVersion(
  tx: Tx,
  ofAgent: Agent,
  { number, settings }: Pick<StoredVersion, 'number' | 'settings'>,
  { publishedBy, note }: { publishedBy: string; note: string | undefined },
): Promise<void> {
  await tx
    .update(agent)
    .set({ ...settings, liveVersion: number, updatedAt: sql`now()` })
    .where(and(eq(agent.organizationId, ofAgent.organizationId), eq(agent.id, ofAgent.id)));
  await tx
    .update(agentVersion)
    .set({ publishedAt: sql`now()`, publishedBy, ...(note === undefined ? {} : { note }) })
    .where(isVersion(ofAgent, number));
  await rememberKnown(tx, ofAgent, number);
}
