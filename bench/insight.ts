import { mkdir, realpath, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { insightPeriods } from '../src/contract/insight-periods.ts';
import { createApp } from '../src/server/app.ts';
import { readConfig } from '../src/server/config/config.ts';
import { newId } from '../src/server/id.ts';
import { createLog } from '../src/server/log.ts';
import { seedInsights } from '../src/server/seed/insights.ts';
import { registerInBrowser } from '../test/browser-client.ts';
import { makeTemporaryFolder } from '../test/temporary-folder.ts';
import { percentile, printTable } from './report.ts';

/**
 * How long the analytics and end-user pages take with a year of messages: the real application on its embedded
 * database, queried over HTTP sequentially. Milliseconds. `--folder` keeps the database for the next run.
 */
const { values } = parseArgs({
  options: {
    messages: { type: 'string', default: '1000000' },
    asks: { type: 'string', default: '30' },
    folder: { type: 'string' },
  },
});
const LIMIT_MS = 300;

const dataDir = values.folder ?? (await makeTemporaryFolder('bench'));
const config = {
  ...readConfig({ PORT: '0', DATA_DIR: dataDir, BILLING_MODE: 'off', ROLE: 'web' }),
  logLevel: 'error' as const,
  seedDemo: false,
};
const app = await createApp(config, createLog(config));
try {
  const place = await seedInsights(app.deps, Number(values.messages), (line) => console.log(line));
  if (!place) throw new Error('There is no demo organization.');
  await app.http.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.http.server.address() as AddressInfo;
  const { client } = await registerInBrowser(`http://127.0.0.1:${port}`, `bench-${Date.now()}`);
  const { agentId, organizationId } = place;
  await app.deps.db.owner.query(
    `insert into member (id, organization_id, user_id, role)
     select $1, $2, id, 'owner' from "user" where registered_at is not null order by registered_at desc limit 1`,
    [newId('member'), organizationId],
  );
  const { users } = await client.endUser.list({ id: agentId });
  const userId = users[0]?.id ?? '';
  const { conversations } = await client.endUser.listConversations({ id: agentId });
  const conversationId = conversations[0]?.id ?? '';
  const second = await client.endUser.list({ id: agentId, count: 100 });
  const timeZone = 'Europe/Berlin';

  const rows: { call: string; p50: number; p95: number; limit: number }[] = [];
  const measure = async (call: string, ask: () => Promise<unknown>) => {
    const times: number[] = [];
    for (let asked = 0; asked < Number(values.asks); asked += 1) {
      const begun = performance.now();
      await ask();
      times.push(performance.now() - begun);
    }
    rows.push({ call, p50: percentile(times, 0.5), p95: percentile(times, 0.95), limit: LIMIT_MS });
  };
  /** Each filter of the conversation list, with many matches and with hardly any; first and later pages. */
  const measureFilters = async () => {
    const { rows: found } = await app.deps.db.owner.query<{ kind: string; id: string; nth: number }>(
      `select 'topic' as kind, id, row_number() over (order by name)::int as nth from topic where agent_id = $1 and name in ('Topic 1', 'Topic 40')
       union all select 'product', id, row_number() over (order by details_config ->> 'name')::int from product where agent_id = $1`,
      [agentId],
    );
    const idOf = (kind: string, nth: number) =>
      found.find((each) => each.kind === kind && each.nth === nth)?.id ?? '';
    const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
    const filters: [
      name: string,
      filter: Omit<Parameters<typeof client.endUser.listConversations>[0], 'id'>,
    ][] = [
      ['days', { from: ago(120), to: ago(90) }],
      ['before, oldest first', { to: ago(300), orderBy: 'asc' }],
      ['channel', { channel: 'telegram' }],
      ['channel, none', { channel: 'slack' }],
      ['handling, none', { handling: 'closed' }],
      ['rated up', { rating: 'up' }],
      ['rated down, a month', { rating: 'down', from: ago(200), to: ago(170) }],
      ['unanswered', { unanswered: 'true' }],
      ['confidence', { confidenceBelow: 0.4 }],
      ['confidence, hardly any', { confidenceBelow: 0.00001 }],
      ['topic', { topicId: idOf('topic', 1) }],
      ['topic, few', { topicId: idOf('topic', 2) }],
      [
        'unanswered of a topic, low confidence',
        { topicId: idOf('topic', 1), unanswered: 'true', confidenceBelow: 0.05 },
      ],
      ['product', { productId: idOf('product', 1) }],
      ['product, one buyer', { productId: idOf('product', 2) }],
      ['language', { language: 'de' }],
      ['language, none', { language: 'zh' }],
      ['language, rated down, unanswered', { language: 'it', rating: 'down', unanswered: 'true' }],
      ['all of a person', { userId, rating: 'down' }],
    ];
    for (const [name, filter] of filters) {
      const first = await client.endUser.listConversations({ id: agentId, ...filter });
      await measure(`conversations: ${name} (${first.conversations.length})`, () =>
        client.endUser.listConversations({ id: agentId, ...filter }),
      );
      const cursor = first.nextCursor;
      if (cursor)
        await measure(`conversations: ${name}, next page`, () =>
          client.endUser.listConversations({ id: agentId, ...filter, cursor }),
        );
    }
  };
  for (const period of insightPeriods) {
    await measure(`insight ${period}`, () => client.insight.get({ agentId, period, timeZone }));
    await measure(`insight of a user ${period}`, () =>
      client.insight.getUser({ agentId, userId, period, timeZone }),
    );
    await measure(`insight of the organization ${period}`, () =>
      client.insight.getOrganization({ organizationId, period, timeZone }),
    );
  }
  await measure('export 1y', () => client.insight.export({ agentId, period: '1y' }));
  await measure('users', () => client.endUser.list({ id: agentId }));
  await measure('users, a later page', () =>
    client.endUser.list({ id: agentId, count: 100, cursor: second.nextCursor ?? undefined }),
  );
  await measure('users, by name', () => client.endUser.list({ id: agentId, search: 'Person 12' }));
  await measure('users, by no name', () => client.endUser.list({ id: agentId, search: 'nobody' }));
  await measure('one user', () => client.endUser.get({ id: agentId, userId }));
  await measure('conversations', () => client.endUser.listConversations({ id: agentId }));
  await measure('conversations of a user', () => client.endUser.listConversations({ id: agentId, userId }));
  await measure('one conversation', () => client.endUser.getConversation({ id: agentId, conversationId }));
  await measureFilters();
  printTable(rows);
  await mkdir('bench/results', { recursive: true });
  await writeFile('bench/results/insight.json', `${JSON.stringify({ rows }, null, 2)}\n`);
  if (rows.some(({ p95 }) => p95 > LIMIT_MS)) process.exitCode = 1;
} finally {
  await app.close();
  if (values.folder === undefined) {
    // The database may live elsewhere, where its own user can reach it.
    await rm(await realpath(path.join(dataDir, 'postgres')), { recursive: true, force: true });
    await rm(dataDir, { recursive: true, force: true });
  }
}
