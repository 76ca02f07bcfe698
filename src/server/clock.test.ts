import { afterAll, beforeAll, expect, test } from 'vitest';
import { startProduct, type Product, type TestClient } from '../../test/product.ts';
import { makeTaughtAgent } from '../../test/taught-agent.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../../test/stand-ins/webhook-receiver.ts';
import { readQuestions } from './features/improvement/read-questions.ts';
import { rollUpAll } from './features/insight/rollup.ts';
import { noticeHappenings } from './features/webhook/notice.ts';

/**
 * A machine whose clock ran ahead and was corrected while the server was running: everything that watches for new rows
 * continues at once.
 */

let receiver: WebhookReceiver;
let product: Product;
let ada: TestClient;
let organizationId: string;
let agentId: string;

beforeAll(async () => {
  receiver = await startWebhookReceiver();
  product = await startProduct({ ssrfAllowedHosts: [receiver.host] });
  ada = product.as('ada');
  organizationId = (await ada.organization.create({ name: 'Acme' })).organization.id;
  agentId = (await makeTaughtAgent(ada, organizationId, 'A ticket costs nine euros.')).id;
  await ada.chatbot.update({ id: agentId, organizationId, isPublic: true, enableKnowledgeBaseMode: true });
});
afterAll(async () => {
  await product.close();
  await receiver.close();
});

async function ask(text: string): Promise<string> {
  const bob = product.as('bob', 'guest');
  const { conversation } = await bob.chat.create({ chatbotId: agentId });
  await bob.chat.send({ id: conversation.id, text });
  return conversation.id;
}

/** Moves a row of the agent to the time a clock running ahead would have recorded. */
const runAhead = (statement: string, values: string[]) =>
  product.app.deps.db.owner.query(statement.replaceAll('$later', `now() + interval '26 hours'`), values);

test('numbers, questions and webhooks continue after a clock that ran ahead is corrected', async () => {
  const { deps } = product.app;
  const early = await ask('What does a ticket cost?');
  const settingsData = { url: receiver.url, events: ['conversation.started'] };
  const { plugin } = await ada.plugin.create({ chatbotId: agentId, type: 'webhook', settingsData });
  await rollUpAll(deps);
  await readQuestions(deps);
  await runAhead(`update conversation set updated_at = $later where id = $1`, [early]);
  await runAhead(
    `update insight_rollup set counted_until = $later, heard_until = $later where agent_id = $1`,
    [agentId],
  );
  await runAhead(`update question_reading set seen_until = $later where agent_id = $1`, [agentId]);
  await runAhead(`update plugin set seen_until = $later where id = $1`, [plugin.id]);

  const late = await ask('May the zebra come aboard the ferry?');
  const numbers = async () => (await ada.insight.get({ agentId, period: '7d' })).insight.now;
  expect(await numbers()).toMatchObject({ conversations: 2, messages: 2 });
  await rollUpAll(deps);
  expect(await numbers()).toMatchObject({ conversations: 2, messages: 2 });
  await readQuestions(deps);
  const read = await deps.db.owner.query(`select 1 from question where conversation_id = $1`, [late]);
  expect(read.rows).toHaveLength(1);
  await noticeHappenings(deps);
  // The webhook receives nothing from before it existed.
  const { deliveries } = await ada.webhook.listDeliveries({ id: plugin.id });
  expect(deliveries.map(({ event }) => event)).toEqual(['conversation.started']);

  // From then on, all of them follow the corrected clock.
  const { rows } = await deps.db.owner.query(
    `select 1 from insight_rollup r, question_reading q, plugin p
      where r.agent_id = $1 and q.agent_id = $1 and p.id = $2 and greatest(r.heard_until, q.seen_until, p.seen_until) <= now()
        and r.counted_until <= now() + interval '6 minutes'`,
    [agentId, plugin.id],
  );
  expect(rows).toHaveLength(1);
});
