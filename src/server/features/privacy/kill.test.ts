import pg from 'pg';
import { expect, test } from 'vitest';
import { registerInBrowser } from '../../../../test/browser-client.ts';
import { connect } from '../../../../test/client.ts';
import { createTestDatabase } from '../../../../test/database.ts';
import { Server } from '../../../../test/e2e/server.ts';
import { CANARY } from '../../../../test/known-person.ts';
import { eventually } from '../../../../test/payments.ts';
import { rowsWith } from '../../../../test/traces.ts';

test('an erasure killed midway has deleted nothing yet, resumes at the next start and completes', async () => {
  const database = await createTestDatabase();
  const server = await Server.start({ DATABASE_URL: database.url, SEED_DEMO: 'off', LOG_LEVEL: 'silent' });
  const pool = new pg.Pool({ connectionString: server.environment['DATABASE_URL'] });
  try {
    const asked = await askFor(server.url);
    // Someone else locks what would be erased next, so that the erasure is halfway through.
    const holder = await pool.connect();
    await holder.query('begin');
    await holder.query('select from message for update');
    const { token } = (await asked.client.privacy.erase({ confirmation: 'erase' })).erasure;
    await eventually(async () => {
      const { rows } = await pool.query(
        `select from pg_stat_activity where wait_event_type = 'Lock' and query like '%erased_message%'`,
      );
      return rows.length > 0;
    });
    await server.kill('SIGKILL');
    await holder.query('rollback');
    holder.release();
    expect((await pool.query('select from message')).rows).toHaveLength(4);

    await server.startAgain();
    const nobody = connect({ baseUrl: server.url });
    const receipt = await eventually(async () => {
      const { erasure } = await nobody.privacy.getErasure({ token });
      return erasure.state === 'done' && erasure;
    }, 60);
    expect(receipt.erased).toMatchObject({ conversations: 2, messages: 4 });
    expect(await rowsWith(pool, [CANARY, asked.userId])).toEqual([]);
  } finally {
    await pool.end();
    await server.remove();
    await database.drop();
  }
});

/** A guest who has talked with an agent twice. */
async function askFor(baseUrl: string) {
  const nobody = connect({ baseUrl });
  const { user, idToken } = await nobody.identity.signInAsGuest();
  const browser = await registerInBrowser(baseUrl, 'owner');
  const owner = connect({ baseUrl, token: () => browser.token() });
  const organizationId = (await owner.organization.create({ name: 'Acme' })).organization.id;
  const chatbotId = (await owner.chatbot.create({ organizationId, name: 'Helper' })).chatbot.id;
  const client = connect({ baseUrl, token: () => idToken });
  for (const text of [`${CANARY} asks`, `${CANARY} asks again`]) {
    const { conversation } = await client.chat.create({ chatbotId });
    await client.chat.send({ id: conversation.id, text });
  }
  return { client, userId: user.uid };
}
