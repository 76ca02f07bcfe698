import { vi } from 'vitest';
import { readQuestions } from '../../src/server/features/improvement/read-questions.ts';
import { rollUpAll } from '../../src/server/features/insight/rollup.ts';
import { newId } from '../../src/server/id.ts';
import { accept, join } from '../join.ts';
import { tusOf } from '../tus.ts';
import { connect, type Product, type TestClient } from '../product.ts';

/** Every kind of person in the matrix. */
export const persons = ['guest', 'unregistered', 'viewer', 'editor', 'admin', 'owner', 'outsider'] as const;
export type PersonKind = (typeof persons)[number];

/**
 * Every kind of caller. A key reads or writes in the matrix's organization; a visitor, and a program with the agent's
 * own key, are there for its agent.
 */
export const callers = ['anonymous', ...persons, 'readKey', 'writeKey', 'visitor', 'agentKey'] as const;
export type CallerKind = (typeof callers)[number];

/** Those who have conversations. */
export const chatters = [...persons, 'visitor', 'agentKey'] as const;
export type ChatterKind = (typeof chatters)[number];

/** One of everything an organization has. */
export interface Things {
  organizationId: string;
  agentId: string;
  handle: string;
  knowledgeId: string;
  sourceId: string;
  fileId: string;
  uploadId: string;
  /** Of an agent import from an invalid file. */
  importId: string;
  teamId: string;
  inviteId: string;
  apiKeyId: string;
  pluginId: string;
  toolId: string;
  /** A call of the tool, which could not be reached. */
  toolCallId: string;
  webhookId: string;
  deliveryId: string;
  /** The owner's, at the tool's service. */
  toolAccountId: string;
  testSetId: string;
  storefrontId: string;
  testRunId: string;
  /** A draft, and a purchase of it by the owner. */
  productId: string;
  purchaseId: string;
  /** The owner, as a member and as a user, and a conversation of theirs. */
  memberId: string;
  userId: string;
  conversationId: string;
  /** In it: an answer, a file, and a link to it. */
  messageId: string;
  attachmentId: string;
  linkId: string;
  /** A link to the agent's numbers. */
  insightLinkId: string;
  /** A form filled in there. */
  leadId: string;
  cannedAnswerId: string;
  /** A question nobody has asked, so nobody needs to answer it. */
  clusterId: string;
  topicId: string;
  /** An export of the owner's data. */
  dataExportId: string;
}

/** One organization with one of everything, and an outsider who owns another. */
export interface World extends Things {
  /** Another organization with the same members, which they may leave. */
  leavableId: string;
  memberOf: Record<'viewer' | 'editor' | 'admin', string>;
  /** Conversations, one per person: nobody may read another's. */
  conversationOf: Record<ChatterKind, string>;
  userIdOf: Record<PersonKind, string>;
  /** The contents of the outsider's organization. */
  foreign: Things;
  as: (kind: CallerKind) => TestClient;
  /** A separate person of this kind for this call, which may sign them out. */
  leaving: (kind: CallerKind, call: string) => TestClient;
}

export async function createWorld(product: Product): Promise<World> {
  const owner = product.as('owner');
  const own = await furnish(product, 'owner', 'Acme');
  const foreign = await furnish(product, 'outsider', 'Other');
  // A stranger could chat with a public agent.
  const private_ = { id: foreign.agentId, organizationId: foreign.organizationId, isPublic: false };
  await product.as('outsider').chatbot.update(private_);
  const leavableId = (await owner.organization.create({ name: 'Leavable' })).organization.id;
  const memberOf = { viewer: '', editor: '', admin: '' };
  const clients: Partial<Record<CallerKind, TestClient>> = {};
  for (const role of ['viewer', 'editor', 'admin'] as const) {
    const joined = await join(product, owner, role, { organizationId: own.organizationId, role });
    await accept(owner, joined, { organizationId: leavableId, role });
    memberOf[role] = joined.memberId;
    clients[role] = joined.client;
  }
  for (const scope of ['read', 'write'] as const) {
    const { organizationId } = own;
    const { secret } = await owner.apiKey.create({ organizationId, name: scope, scope });
    clients[`${scope}Key`] = connect({ baseUrl: product.url, token: () => secret });
  }
  const { token } = await product.as('visitor', 'anonymous').visitor.authenticate({ chatbotId: own.agentId });
  clients.visitor = connect({ baseUrl: product.url, token: () => token });
  const { apiKey } = await owner.visitor.rotateApiKey({ id: own.agentId });
  clients.agentKey = connect({ baseUrl: product.url, token: () => apiKey });
  const as = (kind: CallerKind): TestClient => clients[kind] ?? product.as(kind, standingOf(kind));
  const leaving = (kind: CallerKind, call: string): TestClient =>
    persons.some((person) => person === kind) ? product.as(`${kind} leaving by ${call}`, 'guest') : as(kind);
  const conversationOf = await ofEach(
    chatters,
    async (kind) => (await as(kind).chat.create({ chatbotId: own.agentId })).conversation.id,
  );
  const userIdOf = await ofEach(persons, async (kind) => {
    const { members } = await owner.member.list({ orgId: own.organizationId });
    const member = members.find(({ id }) => id === memberOf[kind as keyof typeof memberOf]);
    return member?.userId ?? (await product.sessionOf(kind, standingOf(kind))).user.uid;
  });
  // Nor are there questions left to read.
  await readQuestions(product.app.deps);
  await rollUpAll(product.app.deps);
  return { ...own, leavableId, memberOf, conversationOf, userIdOf, foreign, as, leaving };
}

async function furnish(product: Product, person: string, name: string): Promise<Things> {
  const client = product.as(person);
  const organizationId = (await client.organization.create({ name })).organization.id;
  const { chatbot } = await client.chatbot.create({ organizationId, name: 'Helper' });
  const { knowledge } = await client.knowledge.create({
    id: chatbot.id,
    organizationId,
    type: 'text',
    description: 'Opening hours',
    text: 'The shop is open from nine to five.',
  });
  const item = { id: chatbot.id, knowledgeId: knowledge.id };
  // Nothing is in progress any more when the world is ready.
  await vi.waitUntil(
    async () => (await client.knowledge.get(item)).knowledge.progress.state === 'ready',
    60_000,
  );
  const media = new File(['A plain text.'], 'note.txt', { type: 'text/plain' });
  const [member] = (await client.member.list({ orgId: organizationId })).members;
  const invite = { organizationId, email: `friend-of-${name}@example.com`, role: 'viewer' as const };
  return {
    organizationId,
    agentId: chatbot.id,
    handle: chatbot.handle,
    knowledgeId: knowledge.id,
    sourceId: (await client.source.list(item)).sources[0]?.id ?? '',
    fileId: (await client.file.upload({ organizationId, media })).file.id,
    uploadId: await tusOf(product, person).begin(organizationId, 10),
    importId: await importNothing(product, person, organizationId),
    teamId: (await client.team.create({ organizationId, name: 'Support' })).team.id,
    inviteId: (await client.member.invite(invite)).invite.id,
    apiKeyId: (await client.apiKey.create({ organizationId, name: 'A key', scope: 'read' })).apiKey.id,
    pluginId: (await client.plugin.create({ chatbotId: chatbot.id, type: 'twitter', settingsData: {} }))
      .plugin.id,
    ...(await tooled(product, client, {
      organizationId,
      agentId: chatbot.id,
      userId: member?.userId ?? '',
    })),
    storefrontId: (await client.storefront.create({ agentId: chatbot.id })).storefront.id,
    ...(await told(product, client, chatbot.id)),
    cannedAnswerId: (await client.inbox.createCanned({ organizationId, title: 'Hello', text: 'Hello.' }))
      .answer.id,
    dataExportId: (await client.privacy.beginExport({})).export.id,
    ...(await bought(product, client, { organizationId, agentId: chatbot.id }, member?.userId ?? '')),
    insightLinkId: (await client.insightLink.create({ agentId: chatbot.id, name: 'Numbers' })).link.id,
    ...(await tested(client, { id: chatbot.id, organizationId })),
    ...(await learned(product, { organizationId, agentId: chatbot.id })),
    memberId: member?.id ?? '',
    userId: member?.userId ?? '',
    ...(await converse(product, client, { organizationId, agentId: chatbot.id })),
  };
}

async function importNothing(product: Product, person: string, organizationId: string): Promise<string> {
  const tus = tusOf(product, person);
  const uploadId = await tus.begin(organizationId, 10);
  await tus.patch(uploadId, 0, 'no archive');
  const { agentFile } = product.as(person);
  const { id: importId } = (await agentFile.import({ organizationId, uploadId })).import;
  await vi.waitUntil(
    async () => (await agentFile.getImport({ importId, organizationId })).import.state === 'failed',
    60_000,
  );
  // It takes the upload with it, and then its bytes.
  const { owner } = product.app.deps.db;
  await vi.waitUntil(async () => (await owner.query('select 1 from removed_bytes')).rowCount === 0, 60_000);
  return importId;
}

/** A tool with a non-public service, a call of it, and an account there, for which no service needs to be contacted. */
async function tooled(
  product: Product,
  client: TestClient,
  { userId, ...agent }: { organizationId: string; agentId: string; userId: string },
) {
  const { id } = (await client.tool.create(agent)).tool;
  const toolAccountId = newId('toolAccount');
  await product.app.deps.db.owner.query(
    `insert into tool_account (id, organization_id, tool_id, user_id, tokens) values ($1, $2, $3, $4, '')`,
    [toolAccountId, agent.organizationId, id, userId],
  );
  const paths = { '/look': { get: { operationId: 'look' } } };
  const document = { openapi: '3.1.0', servers: [{ url: 'http://127.0.0.1/' }], paths };
  await client.tool.update({ id, schema: { text: JSON.stringify(document) } });
  await client.tool.test({ id, operationId: 'look' });
  return { toolId: id, toolAccountId, toolCallId: (await client.tool.listCalls({ id })).calls[0]?.id ?? '' };
}

/** An idle webhook with a delivery. */
async function told({ app }: Product, client: TestClient, chatbotId: string) {
  const settingsData = { url: 'http://hooks.invalid/', events: ['answer.completed'] };
  const { plugin } = await client.plugin.create({ chatbotId, type: 'webhook', settingsData });
  await client.plugin.update({ id: plugin.id, status: 'paused' });
  const deliveryId = newId('webhookDelivery');
  await app.deps.db.owner.query(
    `insert into webhook_delivery (id, organization_id, plugin_id, event, subject, payload, state)
     values ($1, $2, $3, 'answer.completed', 'msg', '{}', 'delivered')`,
    [deliveryId, plugin.organizationId, plugin.id],
  );
  return { webhookId: plugin.id, deliveryId };
}

/** A product that is not for sale, and a purchase that nobody has to pay for. */
async function bought(
  { app }: Product,
  client: TestClient,
  key: { organizationId: string; agentId: string },
  userId: string,
) {
  const { id: productId, paymentConfig } = (await client.product.create(key)).product;
  const purchaseId = newId('purchase');
  await app.deps.db.owner.query(
    `insert into purchase (id, organization_id, agent_id, product_id, user_id, terms, name, account_id, state)
     values ($1, $2, $3, $4, $5, $6, 'Plus', 'acct_other', 'paid')`,
    [purchaseId, key.organizationId, key.agentId, productId, userId, JSON.stringify(paymentConfig)],
  );
  return { productId, purchaseId };
}

/** A set with a finished run. */
async function tested(client: TestClient, agent: { id: string; organizationId: string }) {
  const cases = [{ question: 'When is the shop open?', expectations: [] }];
  const testSetId = (await client.testSet.create({ ...agent, name: 'Basics', cases })).testSet.id;
  const testRunId = (await client.testSet.run({ ...agent, testSetId })).run.id;
  const isDone = async () =>
    (await client.testSet.getRun({ ...agent, testSetId, runId: testRunId })).run.state === 'done';
  await vi.waitUntil(isDone, 60_000);
  return { testSetId, testRunId };
}

/** A dismissed question, and a topic with a custom name: both stay although none of their questions was asked. */
async function learned({ app }: Product, key: { organizationId: string; agentId: string }) {
  const { owner } = app.deps.db;
  const [clusterId, topicId] = [newId('questionCluster'), newId('topic')];
  const { organizationId, agentId } = key;
  await owner.query(
    `insert into question_cluster (id, organization_id, agent_id, state) values ($1, $2, $3, 'dismissed')`,
    [clusterId, organizationId, agentId],
  );
  await owner.query(
    `insert into topic (id, organization_id, agent_id, name, named) values ($1, $2, $3, 'Hours', 'member')`,
    [topicId, organizationId, agentId],
  );
  return { clusterId, topicId };
}

async function converse(
  product: Product,
  client: TestClient,
  { organizationId, agentId }: { organizationId: string; agentId: string },
) {
  const { id } = (await client.chat.create({ chatbotId: agentId })).conversation;
  const { answer } = await client.chat.send({ id, text: 'When is the shop open?' });
  const media = new File(['A plain text.'], 'note.txt', { type: 'text/plain' });
  const { attachment } = await client.attachment.add({ id, media });
  const { link } = await client.chatLink.create({ id, audience: 'organization' });
  const leadId = newId('lead');
  await product.app.deps.db.owner.query(
    `insert into lead (id, organization_id, agent_id, conversation_id, "values") values ($1, $2, $3, $4, '[]')`,
    [leadId, organizationId, agentId, id],
  );
  return { conversationId: id, messageId: answer.id, attachmentId: attachment.id, linkId: link.id, leadId };
}

async function ofEach<Kind extends string>(
  kinds: readonly Kind[],
  make: (kind: Kind) => Promise<string>,
): Promise<Record<Kind, string>> {
  const made = await Promise.all(kinds.map(async (kind) => [kind, await make(kind)] as const));
  return Object.fromEntries(made) as Record<Kind, string>;
}

function standingOf(kind: CallerKind): 'anonymous' | 'guest' | 'member' {
  if (kind === 'anonymous') return 'anonymous';
  return kind === 'guest' || kind === 'unregistered' ? 'guest' : 'member';
}
