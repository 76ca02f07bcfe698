import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import { Writers } from '../torture/writers.ts';
import { webs, type Cluster } from './cluster.ts';
import { drawn, faults, oneOf, type FaultName } from './faults.ts';
import { openListeners, type Listener } from './listeners.ts';
import { Member } from './member.ts';

const HEARD_WITHIN_MS = 10_000;
const READ_WITHIN_MS = 120_000;
const SAMPLE_MS = 10;

interface TrialOptions {
  rounds: number;
  kinds: readonly FaultName[];
  writers: number;
  /** How long a fault lasts: minimum and maximum. */
  lastsMs: readonly [least: number, most: number];
}

/** The maximum times for one kind of fault, in milliseconds. */
interface Figures {
  times: number;
  /** Without any acknowledged write, from the fault on. */
  silenceMs: number;
  /** From the end of the fault to the next acknowledged write. */
  nextMs: number;
  /** From the first attempt at a write to its acknowledgement. */
  writeMs: number;
}

/**
 * Injects one fault after another while people write, listen and add knowledge. Afterwards nothing acknowledged is lost
 * or duplicated, nobody was told anything but to retry, no program has ended by itself, each knowledge item has one set
 * of passages, every tab receives events from every process, and no transaction is left open.
 */
export async function tryCluster(cluster: Cluster, options: TrialOptions): Promise<void> {
  const member = await Member.register(cluster.url);
  const eventually = (is: () => boolean | Promise<boolean>) =>
    expect
      .poll(is, { timeout: HEARD_WITHIN_MS })
      .toBe(true)
      .then(() => undefined);
  const who = { token: () => member.token(), agentId: member.agentId };
  const listeners = await openListeners(cluster, who, eventually);
  const writers = await Writers.start(cluster.url, options.writers);
  try {
    await writers.untilNext();
    const figures = await disturb(cluster, options, { writers, member });
    await writers.stop();
    report(cluster, { writers, listeners, figures });
    expect(await writers.faults()).toEqual([]);
    expect([...writers.refusals, ...member.refusals], cluster.failures()).toEqual([]);
    expect(cluster.endedByThemselves()).toEqual([]);
    await expectAllRead(member);
    await expectAllHear(cluster, member, listeners);
    await expectNothingOpen(cluster);
  } finally {
    await writers.stop().catch(() => undefined);
    for (const listener of listeners) listener.close();
  }
}

async function disturb(
  cluster: Cluster,
  { rounds, kinds, lastsMs: [least, most] }: TrialOptions,
  { writers, member }: { writers: Writers; member: Member },
): Promise<Map<FaultName, Figures>> {
  const figures = new Map<FaultName, Figures>();
  for (const kind of drawn(kinds, rounds)) {
    member.teach();
    await delay(Math.random() * 1000);
    writers.slowestMs = 0;
    const silence = watchSilence(writers);
    const { nodes, begin, end } = faults[kind];
    const node = oneOf(nodes);
    await begin(cluster, node);
    await delay(least + Math.random() * (most - least));
    await end(cluster, node);
    const nextMs = await writers.untilNext();
    const before = figures.get(kind);
    figures.set(kind, {
      times: (before?.times ?? 0) + 1,
      silenceMs: Math.max(before?.silenceMs ?? 0, silence()),
      nextMs: Math.max(before?.nextMs ?? 0, nextMs),
      writeMs: Math.max(before?.writeMs ?? 0, writers.slowestMs),
    });
  }
  return figures;
}

/** The longest time without an acknowledged write, from now until the returned function is called. */
function watchSilence(writers: Writers): () => number {
  let last = Math.max(writers.lastAt, performance.now() - SAMPLE_MS);
  let longest = 0;
  const look = () => {
    longest = Math.max(longest, performance.now() - last);
    last = Math.max(last, writers.lastAt);
  };
  const timer = setInterval(look, SAMPLE_MS);
  return () => {
    look();
    clearInterval(timer);
    return longest;
  };
}

function report(
  cluster: Cluster,
  {
    writers,
    listeners,
    figures,
  }: { writers: Writers; listeners: Listener[]; figures: Map<FaultName, Figures> },
): void {
  const seconds = (ms: number) => (ms / 1000).toFixed(1);
  const kinds = [...figures].map(
    ([kind, { times, silenceMs, nextMs, writeMs }]) =>
      `${kind} ${times}x ${seconds(silenceMs)}/${seconds(nextMs)}/${seconds(writeMs)} s`,
  );
  const connections = listeners.reduce((sum, listener) => sum + listener.connections, 0);
  console.log(
    `cluster on ${cluster.postgresLabel}: ${writers.acknowledged} writes acknowledged, ${listeners.length} tabs connected ` +
      `${connections} times; longest silence / next write after the fault / slowest write: ${kinds.toSorted().join(', ')}`,
  );
}

async function expectAllRead(member: Member): Promise<void> {
  const unread = async () =>
    (await member.items())
      .filter(({ progress }) => progress.state !== 'ready')
      .map(({ progress }) => progress);
  await expect.poll(unread, { timeout: READ_WITHIN_MS, interval: 500 }).toEqual([]);
  const counts = new Set((await member.items()).map(({ chunks }) => chunks));
  expect([...counts]).toEqual([expect.any(Number)]);
  expect([...counts][0]).toBeGreaterThan(0);
}

/** Events at any process, even one without sockets, reach every tab. */
async function expectAllHear(cluster: Cluster, member: Member, listeners: Listener[]): Promise<void> {
  const without = (has: (listener: Listener) => boolean) => () =>
    listeners.filter((listener) => !has(listener)).length;
  const soon = { timeout: HEARD_WITHIN_MS, interval: 100 };
  for (const web of webs) {
    const conversationId = await member.sayAt(cluster.urlOf(web));
    const deaf = without(({ conversations }) => conversations.has(conversationId));
    await expect.poll(deaf, { ...soon, message: `tabs that receive no events from ${web}` }).toBe(0);
  }
  member.teach();
  const newest = (await member.items()).at(-1)?.id ?? '';
  const deaf = without(({ ready }) => ready.has(newest));
  await expect.poll(deaf, { ...soon, message: 'tabs that receive no events from the workers' }).toBe(0);
}

async function expectNothingOpen(cluster: Cluster): Promise<void> {
  const open = () =>
    cluster.query(`select state, query from pg_stat_activity
      where state like 'idle in transaction%' and state_change < now() - interval '2 seconds'`);
  await expect.poll(open, { timeout: 30_000, interval: 500 }).toEqual([]);
}
