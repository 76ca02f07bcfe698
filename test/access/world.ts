import pg from 'pg';
import type { Product, TestClient } from '../product.ts';
import { newId } from '../../src/server/id.ts';

/** Every kind of caller that the matrix knows. */
export const callers = [
  'anonymous',
  'guest',
  'unregistered',
  'viewer',
  'editor',
  'admin',
  'owner',
  'outsider',
] as const;
export type CallerKind = (typeof callers)[number];

/** One organization with one of everything, and an outsider who owns another. */
export interface World {
  organizationId: string;
  agentId: string;
  handle: string;
  knowledgeId: string;
  /** Conversations, each of its own person: nobody may read another's. */
  conversationOf: Record<Exclude<CallerKind, 'anonymous'>, string>;
  userIdOf: Record<Exclude<CallerKind, 'anonymous'>, string>;
  as: (kind: CallerKind) => TestClient;
}

export async function createWorld(product: Product): Promise<World> {
  const owner = product.as('owner');
  const { organization } = await owner.organization.create({ name: 'Acme' });
  const { chatbot } = await owner.chatbot.create({ organizationId: organization.id, name: 'Helper' });
  const { knowledge } = await owner.knowledge.create({
    id: chatbot.id,
    organizationId: organization.id,
    type: 'text',
    description: 'Opening hours',
    text: 'The shop is open from nine to five.',
  });
  await product.as('outsider').organization.create({ name: 'Other' });
  const signedIn = callers.filter((kind) => kind !== 'anonymous');
  const as = (kind: CallerKind): TestClient => product.as(kind, standingOf(kind));
  const userIdOf = Object.fromEntries(
    await Promise.all(
      signedIn.map(
        async (kind) => [kind, (await product.sessionOf(kind, standingOf(kind))).user.uid] as const,
      ),
    ),
  ) as World['userIdOf'];
  await join(product.databaseUrl, organization.id, userIdOf);
  const conversationOf = Object.fromEntries(
    await Promise.all(
      signedIn.map(
        async (kind) =>
          [kind, (await as(kind).chat.create({ chatbotId: chatbot.id })).conversation.id] as const,
      ),
    ),
  ) as World['conversationOf'];
  return {
    organizationId: organization.id,
    agentId: chatbot.id,
    handle: chatbot.handle,
    knowledgeId: knowledge.id,
    conversationOf,
    userIdOf,
    as,
  };
}

function standingOf(kind: CallerKind): 'anonymous' | 'guest' | 'member' {
  if (kind === 'anonymous') return 'anonymous';
  return kind === 'guest' || kind === 'unregistered' ? 'guest' : 'member';
}

/** Until people can be invited, members are put where an accepted invite will put them. */
async function join(databaseUrl: string, organizationId: string, userIdOf: World['userIdOf']): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  for (const role of ['viewer', 'editor', 'admin'] as const) {
    await client.query('insert into member (id, organization_id, user_id, role) values ($1, $2, $3, $4)', [
      newId('member'),
      organizationId,
      userIdOf[role],
      role,
    ]);
  }
  await client.end();
}
