import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { join } from '../../../../test/join.ts';
import { startProduct, type Product, type TestClient } from '../../../../test/product.ts';
import { newId } from '../../id.ts';
import { importAgent } from './import.job.ts';
import { insertImport } from './store.ts';

/** An import outlives the request that started it, but not the rights of whoever started it. */

let product: Product;
let ada: TestClient;
let organizationId: string;
let fromAgentId: string;

beforeAll(async () => {
  product = await startProduct();
  ada = product.as('ada');
});
beforeEach(async () => {
  organizationId = (await ada.organization.create({ name: 'Acme' })).organization.id;
  fromAgentId = (await ada.chatbot.create({ organizationId, name: 'Helper' })).chatbot.id;
});
afterAll(() => product.close());

/** Runs a duplication started by this person or key, calling `meanwhile` before it is final. */
async function duplicate(createdBy: string, meanwhile: () => Promise<unknown> = async () => undefined) {
  const { deps } = product.app;
  const id = newId('agentImport');
  await deps.db.in({ organizationId }, (tx) =>
    insertImport(tx, { id, organizationId, fromAgentId, name: 'Twin', createdBy, address: '' }),
  );
  const restoreTools = async () => void (await meanwhile());
  const run = importAgent(deps, { restoreTools, nameOf: (given) => given, typeOf: () => '' });
  await run({ organizationId, importId: id }, new AbortController().signal);
  const { state, error } = (await ada.agentFile.getImport({ importId: id, organizationId })).import;
  const { chatbots } = await ada.chatbot.list({ organizationId });
  return { state, error, agents: chatbots.length };
}

const stopped = {
  state: 'failed',
  error: 'The person who started this is no longer allowed to do it.',
  agents: 1,
};

test('an import ends without an agent when its key is revoked before or during it', async () => {
  const { apiKey: key } = await ada.apiKey.create({ organizationId, name: 'Nightly', scope: 'write' });
  const revoke = () => ada.apiKey.revoke({ id: key.id });
  expect(await duplicate(key.id, revoke)).toEqual(stopped);
  expect(await duplicate(key.id)).toEqual(stopped);
});

test('an import ends without an agent when its member leaves or loses the role, and otherwise succeeds', async () => {
  const eve = await join(product, ada, 'eve', { organizationId, role: 'editor' });
  const demote = () => ada.member.update({ id: eve.memberId, role: 'viewer' });
  expect(await duplicate(eve.userId, demote)).toEqual(stopped);
  await ada.member.update({ id: eve.memberId, role: 'editor' });
  expect(await duplicate(eve.userId)).toEqual({ state: 'ready', error: null, agents: 2 });
  await ada.member.remove({ id: eve.memberId });
  expect(await duplicate(eve.userId)).toEqual({ ...stopped, agents: 2 });
});
