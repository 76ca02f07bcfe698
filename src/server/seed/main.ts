import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createApp } from '../app.ts';
import { readConfig } from '../config/config.ts';
import { createLog } from '../log.ts';
import { seedDemo } from './seed.ts';
import { seedInsights } from './insights.ts';
import { StartError } from '../start-error.ts';

/**
 * `npm run seed`: creates the demo agent and waits until it knows its guides. `-- --messages 1000000` also creates
 * another agent with that many messages over a year.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { messages: { type: 'string', default: '0' } } });
  const messages = Number(values.messages);
  if (!Number.isSafeInteger(messages) || messages < 0)
    throw new StartError('--messages takes a whole number.');
  const config = { ...readConfig(), role: 'all' as const, seedDemo: false };
  const app = await createApp(config, createLog(config));
  try {
    const seeded = await seedDemo(app.deps, { force: true });
    await seeded?.guides;
    if (seeded) await untilKnown(app.deps.db.owner, seeded.demo.agentId);
    console.log('The demo agent is at /chat/parley.');
    if (messages > 0) await seedInsights(app.deps, messages, (line) => console.log(line));
  } finally {
    await app.close();
  }
}

async function untilKnown(
  owner: { query: (sql: string, values: string[]) => Promise<{ rows: { left: number }[] }> },
  agentId: string,
): Promise<void> {
  for (;;) {
    const { rows } = await owner.query(
      `select count(*)::int as left from knowledge where agent_id = $1 and state not in ('ready', 'failed')`,
      [agentId],
    );
    if (rows[0]?.left === 0) return;
    await sleep(200);
  }
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(error instanceof StartError ? error.message : error);
    process.exit(1);
  },
);
