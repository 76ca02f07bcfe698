import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { sql } from 'drizzle-orm';
import type { UserCaller } from '../call.ts';
import { member, organization, user } from '../db/schema/index.ts';
import type { Deps } from '../deps.ts';
import { newAgent } from '../features/chatbot/new-agent.ts';
import { findByHandle, insertAgent } from '../features/chatbot/store.ts';
import { knowledgeHandlers } from '../features/knowledge/handlers.ts';
import { newId } from '../id.ts';

/** The demo agent's public handle: the front page lets a visitor talk to it. */
export const DEMO_HANDLE = 'parley';

const demoAgent = {
  handle: DEMO_HANDLE,
  customInstructions: 'You explain Parley to the people who use it and run it. Be brief and concrete.',
  enableKnowledgeBaseMode: true,
  welcomeMessage: 'Hello. I know Parley’s guides. What would you like to know?',
  fallbackMessage: 'Parley’s guides have no answer to this.',
  conversationStarters: ['How do I start Parley?', 'Which files can an agent read?', 'How do I back up?'],
};
/** They answer the starters, which whoever opens a new installation asks at once: they are read before the others. */
const firstGuides = ['getting-started.md', 'knowledge.md', 'self-hosting.md'];

const guidesFolder = path.join(import.meta.dirname, '../../../docs/guides');

interface Demo {
  organizationId: string;
  ownerId: string;
  agentId: string;
}

const SEED_LOCK = 7_210_004;

interface Seeded {
  demo: Demo;
  /** Resolves when the agent has been given all guides. */
  guides: Promise<void>;
}

/**
 * Creates an organization with an agent that knows Parley's own guides. Repeatable: what exists stays, what is missing
 * is added; of several processes starting at once, one does it. Without `force`, only an unused installation gets one.
 * Resolves when the agent exists, which takes a moment; the guides follow.
 */
export async function seedDemo(deps: Deps, options: { force?: boolean } = {}): Promise<Seeded | undefined> {
  const { force = false } = options;
  const demo = await inTurn(deps, async () => (await findDemo(deps)) ?? (await makeDemo(deps, force)));
  return demo && { demo, guides: inTurn(deps, () => addMissingGuides(deps, demo)) };
}

/** The same at each start, if enabled: nobody waits for the guides. `guides` never rejects. */
export async function seedAtStart(deps: Deps): Promise<{ guides: Promise<void> }> {
  const { config, log } = deps;
  const seeded = config.seedDemo && config.role !== 'worker' ? await seedDemo(deps) : undefined;
  const guides = seeded?.guides.catch((error: unknown) =>
    log.warn({ err: error }, 'the demo agent did not get all guides'),
  );
  return { guides: guides ?? Promise.resolve() };
}

/** Serializes several processes. */
async function inTurn<T>({ db }: Deps, work: () => Promise<T>): Promise<T> {
  const turn = await db.owner.connect();
  try {
    await turn.query('select pg_advisory_lock($1)', [SEED_LOCK]);
    return await work();
  } finally {
    await turn.query('select pg_advisory_unlock($1)', [SEED_LOCK]).catch(() => undefined);
    turn.release();
  }
}

async function findDemo({ db }: Deps): Promise<Demo | undefined> {
  const { rows } = await db.unscoped.execute<{ id: string | null }>(
    sql`select organization_of_handle(${DEMO_HANDLE}) as id`,
  );
  const organizationId = rows[0]?.id;
  if (!organizationId) return undefined;
  return db.in({ organizationId }, async (tx) => {
    const agent = await findByHandle(tx, organizationId, DEMO_HANDLE);
    const [owner] = await tx
      .select({ userId: member.userId })
      .from(member)
      .where(sql`${member.role} = 'owner'`);
    return agent && owner && { organizationId, ownerId: owner.userId, agentId: agent.id };
  });
}

async function makeDemo(deps: Deps, force: boolean): Promise<Demo | undefined> {
  const { rows } = await deps.db.owner.query<{ used: boolean }>(
    'select exists (select 1 from organization) as used',
  );
  if (rows[0]?.used && !force) return undefined;
  const demo: Demo = {
    organizationId: newId('organization'),
    ownerId: newId('user'),
    agentId: newId('agent'),
  };
  await deps.db.in({ organizationId: demo.organizationId }, async (tx) => {
    const { organizationId, ownerId, agentId } = demo;
    await tx.insert(user).values({
      id: ownerId,
      name: 'Parley',
      profilePhoto: '/images/guest.svg',
      isAnonymous: true,
      registeredAt: sql`now()` as never,
    });
    await tx.insert(organization).values({
      id: organizationId,
      name: 'Parley',
      profilePhoto: '/images/organization.svg',
      planType: 'STARTUP',
      createdBy: ownerId,
    });
    await tx.insert(member).values({ id: newId('member'), organizationId, userId: ownerId, role: 'owner' });
    const values = {
      ...newAgent(organizationId, 'Parley guide'),
      ...demoAgent,
      offersPerson: false,
      id: agentId,
    };
    await insertAgent(tx, values, ownerId);
  });
  return demo;
}

async function addMissingGuides(deps: Deps, demo: Demo): Promise<void> {
  const { allKnowledge } = (await knowledgeHandlers(deps).list(
    { id: demo.agentId },
    callerOf(demo),
    noContext,
  )) as {
    allKnowledge: { description: string }[];
  };
  const known = new Set(allKnowledge.map(({ description }) => description));
  for (const file of new Set([...firstGuides, ...(await readdir(guidesFolder)).toSorted()])) {
    const text = await readFile(path.join(guidesFolder, file), 'utf8');
    const description = /^# (.+)$/m.exec(text)?.[1] ?? file;
    if (known.has(description)) continue;
    await giveText(deps, demo, description, text);
  }
}

/** Adds a text to the agent's knowledge. */
export async function giveText(deps: Deps, demo: Demo, description: string, text: string): Promise<void> {
  const { agentId: id, organizationId } = demo;
  await knowledgeHandlers(deps).create(
    { id, organizationId, type: 'text', description, text, links: [], files: [], schedule: 'manual' },
    callerOf(demo),
    noContext,
  );
}

const callerOf = ({ ownerId }: Demo): UserCaller => ({
  kind: 'user',
  userId: ownerId,
  sessionId: '',
  isAnonymous: true,
  isMember: true,
});

/** There is no connection to describe. */
const noContext = {
  address: '127.0.0.1',
  origin: '',
  place: {},
  language: () => undefined,
  site: undefined,
  writeKey: undefined,
  wantsStream: false,
  signal: new AbortController().signal,
  cookies: { read: () => undefined, write: () => undefined, clear: () => undefined },
};
