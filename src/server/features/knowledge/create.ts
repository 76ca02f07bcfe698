import type * as z from 'zod';
import { titleOfKnowledge } from '../../../contract/knowledge-title.ts';
import type { NewKnowledge } from '../../../contract/knowledge.ts';
import type { Agent } from '../../access/gate.ts';
import { planOf, requireRoom } from '../../access/quota.ts';
import { callerId, type MemberCaller, type RequestContext } from '../../call.ts';
import type { Tx } from '../../db/scope.ts';
import type { Deps } from '../../deps.ts';
import { requireVisiblyOuter } from '../../egress/target.ts';
import { newId } from '../../id.ts';
import { recordAudit } from '../audit/store.ts';
import { requireFiles } from './exchange-files.ts';
import { requireFitting } from './fitting.ts';
import { itemKey } from './item.ts';
import type { ItemKey } from './keys.ts';
import { newSources, siteOf } from './new-sources.ts';
import { requireAllowed, textBytesOf } from './plan-rules.ts';
import { insertRevision } from './revisions/revision-store.ts';
import { insertSources } from './source-store.ts';
import { insertKnowledge } from './store.ts';

type Created = z.infer<typeof NewKnowledge>;
export type NewItemInput = Omit<Created, 'organizationId'> & { organizationId?: string };

export interface Act {
  caller: MemberCaller;
  context: RequestContext;
}

/**
 * Stores a new item with its first revision and queues it for reading. Errors: 400 for a missing part, or one its type
 * doesn't have, 402 by the plan, 404 for a foreign file.
 */
export async function createItem(
  tx: Tx,
  { config, jobs }: Pick<Deps, 'config' | 'jobs'>,
  agent: Agent,
  input: NewItemInput,
  { caller, context }: Act,
): Promise<ItemKey> {
  const { organizationId } = agent;
  const { type, description, links, schedule } = input;
  const text = input.text ?? null;
  const files = await requireFiles(tx, organizationId, input.files);
  requireFitting(input, input);
  for (const link of links) requireVisiblyOuter(link, config);
  const sources = newSources({ ...input, organizationId }, files);
  requireAllowed(config, await planOf(tx, config, organizationId), { links, schedule });
  await requireRoom(tx, config, organizationId, 'knowledgeBytes', textBytesOf(sources));
  const key = itemKey(agent, newId('knowledge'));
  await insertKnowledge(tx, {
    id: key.knowledgeId,
    organizationId,
    agentId: agent.id,
    type,
    description,
    text,
    links,
    schedule,
    site: siteOf(input),
  });
  const revision = await insertRevision(tx, key, 'created', callerId(caller));
  await insertSources(tx, key, revision, sources);
  await jobs.enqueue(tx, 'knowledge.process', key);
  await recordAudit(tx, caller, context, {
    organizationId,
    action: 'knowledge.create',
    target: { id: key.knowledgeId, name: titleOfKnowledge({ description, text, links, files }) },
    after: { agent: agent.name, type, description, text, links, files: files.map(({ name }) => name) },
  });
  return key;
}
