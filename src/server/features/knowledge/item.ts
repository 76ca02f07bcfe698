import { notFound } from '../../app-error.ts';
import type { Agent } from '../../access/gate.ts';
import type { Tx } from '../../db/scope.ts';
import { titleOfKnowledge } from '../../../contract/knowledge-title.ts';
import type { Knowledge } from '../../../contract/knowledge.ts';
import type { AgentKey, ItemKey } from './keys.ts';
import { knowledgeOf } from './present.ts';
import * as store from './store.ts';
import type { StoredKnowledge } from './store.ts';

export function agentKey({ id: agentId, organizationId }: Agent): AgentKey {
  return { organizationId, agentId };
}

export function itemKey(agent: Agent, knowledgeId: string): ItemKey {
  return { ...agentKey(agent), knowledgeId };
}

/** An agent requested through another organization doesn't exist there. */
export function requireOrganization(agent: Agent, organizationId: string): void {
  if (agent.organizationId !== organizationId) throw notFound();
}

/** The item, locked until the transaction ends. Errors: 404. */
export async function openItem(tx: Tx, key: ItemKey): Promise<StoredKnowledge> {
  const item = await store.lockKnowledge(tx, key);
  if (!item) throw notFound();
  return item;
}

export async function presentItems(tx: Tx, key: AgentKey, which: store.Items): Promise<Knowledge[]> {
  const items = await store.listKnowledge(tx, key, which);
  const files = await store.listFiles(
    tx,
    key,
    items.map(({ id }) => id),
  );
  return items.map((item) => knowledgeOf(item, files.get(item.id) ?? []));
}

/** Errors: 404. */
export async function presentItem(tx: Tx, { knowledgeId, ...key }: ItemKey): Promise<Knowledge> {
  const [knowledge] = await presentItems(tx, key, { id: knowledgeId });
  if (!knowledge) throw notFound();
  return knowledge;
}

/** Its display title, for later references to it. */
export async function titleOfItem(tx: Tx, key: ItemKey): Promise<string> {
  return titleOfKnowledge(await presentItem(tx, key));
}
