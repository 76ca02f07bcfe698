import type { SQL } from 'drizzle-orm';
import { erasedKinds, keptKinds, type Erasure } from '../../../contract/privacy.ts';
import type { Tx } from '../../db/scope.ts';
import * as people from './erase-person-store.ts';
import { forgetAsked } from './forget-asked.ts';
import * as said from './erase-store.ts';
import * as store from './store.ts';

type Counts = Partial<Record<keyof Erasure['erased'] | keyof Erasure['kept'], number>>;

/** Erases everything the database has about them, in the caller's transaction, along with the erasure's own record. */
export async function eraseRows(tx: Tx, erasureId: string): Promise<void> {
  const begun = await store.lockErasure(tx, erasureId);
  if (!begun?.personId) return;
  const person = await findPerson(tx, begun.personId, begun.ofAgent);
  const counts = person ? await erase(tx, person) : {};
  await store.keepRowsGone(tx, erasureId, {
    erased: countsOf(erasedKinds, counts),
    kept: countsOf(keptKinds, counts),
    storageKeys: await people.bytesOfErased(tx),
  });
}

/** With the scope of the erasure: an agent's visitor is erased completely. Undefined if the person or their agent is gone. */
export async function findPerson(
  tx: Tx,
  userId: string,
  agentId: string | null,
): Promise<said.Person | undefined> {
  const found = await said.lockPerson(tx, userId);
  if (!found) return undefined;
  if (agentId === null) return { ...found, agent: null };
  const organizationId = await said.organizationOfAgent(tx, agentId);
  if (organizationId === undefined) return undefined;
  const agent = { organizationId, agentId };
  return { ...found, agent: (await people.isVisitorOf(tx, userId, agent)) ? null : agent };
}

async function erase(tx: Tx, person: said.Person): Promise<Counts> {
  const counts: Counts = {};
  const add = (kind: keyof Counts, count: number) => (counts[kind] = (counts[kind] ?? 0) + count);
  const run = async (statements: [keyof Counts | null, SQL][]): Promise<void> => {
    for (const [kind, statement] of statements) {
      const { rowCount } = await tx.execute(statement);
      if (kind !== null) add(kind, rowCount ?? 0);
    }
  };
  await said.collectSaid(tx, person);
  await said.holdWebhooks(tx);
  await said.stopAnswers(tx);
  await said.forgetTitles(tx);
  await said.joinWhatStays(tx);
  await forgetAsked(tx, said.askedByThem());
  add('mails', await said.eraseMails(tx, said.tellingMails()));
  await run(said.toldStatements(person));
  await run(said.saidStatements(person));
  add('auditEntries', await people.forgetInAudit(tx, person));
  add('conversations', await said.eraseConversations(tx));
  await run(people.boughtStatements(person));
  if (person.agent) return counts;
  add('mails', await said.eraseMails(tx, people.ownMails(person)));
  add('work', await people.forgetMaker(tx, person));
  await run(people.personStatements(person));
  return counts;
}

function countsOf<Kind extends keyof Counts>(kinds: readonly Kind[], counts: Counts): Record<Kind, number> {
  return Object.fromEntries(kinds.map((kind) => [kind, counts[kind] ?? 0])) as Record<Kind, number>;
}
