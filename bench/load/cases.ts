import { setTimeout as delay } from 'node:timers/promises';
import { percentile } from '../report.ts';
import { ask, askSteadily, type Asked } from './ask.ts';
import { Crowd } from './crowd.ts';
import { leftIn } from './inspector.ts';
import type { Stage, Stand } from './stage.ts';

export type Row = Record<string, string | number>;
type Case = (stage: Stage, seconds: number) => Promise<Row[]>;

/** The rate that keeps 300 chats going: an answer from the stand-in `steady` lasts ten seconds. */
const NEW_CHATS_PER_SECOND = 30;
const MESSAGES_PER_SECOND = 150;
/** A freshly started server's code is still being compiled while it answers. */
const WARM_AFTER_MS = 30_000;
const CONVERSATIONS = 1500;
const REFUSED_REST_MS = 250;
const SOCKETS = 5000;
const EVENTS = 20;

const isServed = ({ status, isWhole }: Asked): boolean => status === 200 && isWhole;
const isRefused = ({ status, retryAfter }: Asked): boolean =>
  (status === 503 || status === 429) && retryAfter !== null;

function figuresOf(asked: Asked[]): Row {
  const served = asked.filter(isServed);
  const failed = asked.filter((each) => !isServed(each) && !isRefused(each));
  for (const { status, isWhole, problem } of failed)
    console.error(`Failed: status ${status}, ${isWhole ? 'complete' : 'incomplete'} ${problem ?? ''}`);
  const acknowledged = served.map(({ acknowledgedMs }) => acknowledgedMs);
  const first = served.map(({ firstMs }) => firstMs ?? Number.NaN);
  return {
    asked: asked.length,
    refused: asked.filter(isRefused).length,
    failed: failed.length,
    'kept p50': percentile(acknowledged, 0.5),
    'kept p99': percentile(acknowledged, 0.99),
    'first p50': percentile(first, 0.5),
    'first p95': percentile(first, 0.95),
  };
}

/**
 * 300 chats that stream 20 tokens a second each, 30 new ones a second. The stand-in itself adds no time before its
 * first token.
 */
const L1: Case = async (stage, seconds) => {
  const stand = await stage.stand('l1', 'steady', CONVERSATIONS);
  const asked = await askSteadily(stage.url, stand, { perSecond: NEW_CHATS_PER_SECOND, seconds });
  const gaps = asked.flatMap(({ gaps: each }) => each);
  return [
    {
      case: 'L1',
      ...figuresOf(asked),
      'gap p99': percentile(gaps, 0.99),
      'RSS MiB': stage.parley.residentMib(),
    },
  ];
};

/** 5,000 sockets of signed-in members, all watching one agent; then the server restarts. */
const L2: Case = async (stage) => {
  const stand = await stage.stand('l2', 'stand-in', 1);
  const crowd = await Crowd.gather(stage, stand, SOCKETS);
  const open = await crowd.next('open');
  const spreads: number[] = [];
  for (let event = 0; event < EVENTS; event += 1) {
    const { client } = stand.owner;
    const agent = { id: stand.agentId, organizationId: stand.organizationId };
    await client.knowledge.create({ ...agent, type: 'text', description: `Said once ${event}` });
    spreads.push(...(await crowd.next('heard')).spreads);
    await delay(1000);
  }
  const rss = stage.parley.residentMib();
  await stage.restart();
  const back = await crowd.next('back');
  await crowd.leave();
  return [
    {
      case: 'L2',
      sockets: SOCKETS,
      'open s': open.seconds,
      'heard p50': percentile(spreads, 0.5),
      'heard p99': percentile(spreads, 0.99),
      'all back s': back.seconds,
      'RSS MiB': rss,
    },
  ];
};

/** 150 messages a second, each of them answered. */
const L3: Case = async (stage, seconds) => {
  const stand = await stage.stand('l3', 'stand-in', CONVERSATIONS);
  const asked = await askSteadily(stage.url, stand, { perSecond: MESSAGES_PER_SECOND, seconds });
  const [first] = asked;
  const warm = asked.filter((each) => isServed(each) && each.at - (first?.at ?? 0) > WARM_AFTER_MS);
  const keptWarm = warm.map(({ acknowledgedMs }) => acknowledgedMs);
  return [
    {
      case: 'L3',
      ...figuresOf(asked),
      'kept p99, warm': percentile(keptWarm, 0.99),
      'RSS MiB': stage.parley.residentMib(),
    },
  ];
};

/** Half of capacity, nearly all of it, three times as much, then half again. */
const L4: Case = async (stage, seconds) => {
  const stand = await stage.stand('l4', 'stand-in', 8000);
  const capacity = await settledCapacityOf(stage, stand);
  const usual = { perSecond: Math.round(capacity * 0.5), seconds: 10 };
  const before = await askSteadily(stage.url, stand, usual);
  const full = { perSecond: Math.round(capacity * 0.9), seconds: 20 };
  const nearly = await askSteadily(stage.url, stand, full);
  const during = await askSteadily(stage.url, stand, { perSecond: capacity * 3, seconds });
  const since = performance.now();
  const after = await askSteadily(stage.url, stand, usual);
  const limit =
    2 *
    percentile(
      before.map(({ acknowledgedMs }) => acknowledgedMs),
      0.99,
    );
  const late = after.filter((each) => !isServed(each) || each.acknowledgedMs > limit);
  const normalAfter = Math.max(0, ...late.map(({ at }) => at - since)) / 1000;
  const rss = stage.parley.residentMib();
  return [
    { case: 'L4 half', 'per second': usual.perSecond, ...figuresOf(before) },
    { case: 'L4 nearly all', 'per second': full.perSecond, ...figuresOf(nearly) },
    { case: 'L4 three times', 'per second': capacity * 3, ...figuresOf(during), 'RSS MiB': rss },
    {
      case: 'L4 half again',
      'per second': usual.perSecond,
      ...figuresOf(after),
      'normal after s': normalAfter,
    },
  ];
};

/**
 * Capacity: the best of several tries, ending after the second try that found no more. A freshly started server is
 * still compiling its code, and the data made for the test is being read in the background, so a single try says
 * nothing.
 */
async function settledCapacityOf(stage: Stage, stand: Stand): Promise<number> {
  let capacity = 0;
  for (let withoutMore = 0; withoutMore < 2;) {
    const found = await capacityOf(stage, stand);
    withoutMore = found > capacity * 1.05 ? 0 : withoutMore + 1;
    capacity = Math.max(capacity, found);
  }
  return capacity;
}

/**
 * Messages answered a second while 50 people always have one in flight, each in the next conversation of the whole set:
 * as in the case's other parts, because a conversation that is asked repeatedly has ever more history to read. A
 * refused person pauses briefly, or the benchmark would measure refusals.
 */
async function capacityOf({ url }: Stage, stand: Stand): Promise<number> {
  const began = performance.now();
  let asked = 0;
  let served = 0;
  const people = Array.from({ length: 50 }, async () => {
    while (performance.now() - began < 8000) {
      const conversation = stand.conversations[asked % stand.conversations.length];
      if (conversation === undefined) return;
      asked += 1;
      if (isServed(await ask(url, stand, conversation))) served += 1;
      else await delay(REFUSED_REST_MS);
    }
  });
  await Promise.all(people);
  return Math.round((served * 1000) / (performance.now() - began));
}

/** Half of L3's rate for a long time: what remains in memory after garbage collection. */
const L5: Case = async (stage, seconds) => {
  const stand = await stage.stand('l5', 'stand-in', CONVERSATIONS);
  const rows: Row[] = [];
  const part = Math.max(10, Math.round(seconds / 6));
  for (let minute = 0; minute < 6; minute += 1) {
    // A token is valid for an hour.
    stand.owner.adopt((await stand.owner.client.identity.refresh()).session ?? undefined);
    const asked = await askSteadily(stage.url, stand, { perSecond: MESSAGES_PER_SECOND / 2, seconds: part });
    await delay(6000);
    const { heapMib, handles } = await leftIn(stage.parley, stage.inspectorPort);
    const rss = stage.parley.residentMib();
    rows.push({
      case: `L5 after ${(minute + 1) * part} s`,
      ...figuresOf(asked),
      'heap MiB': heapMib,
      handles,
      'RSS MiB': rss,
    });
  }
  return rows;
};

/**
 * One organization's user alone, then beside another organization that sends a hundred times as many messages. The
 * provider takes 300 ms to its first token for the first, and none for the other. The first token is the provider's
 * time plus ours; `kept` is ours alone.
 */
const L6: Case = async (stage, seconds) => {
  const quiet = await stage.stand('l6-quiet', 'slow', 20);
  const loud = await stage.stand('l6-loud', 'stand-in', CONVERSATIONS);
  const usual = { perSecond: 1, seconds: Math.max(100, seconds) };
  const alone = await askSteadily(stage.url, quiet, usual);
  const [beside] = await Promise.all([
    askSteadily(stage.url, quiet, usual),
    askSteadily(stage.url, loud, { perSecond: 100, seconds: usual.seconds }),
  ]);
  const late = (asked: Asked[]) =>
    percentile(
      asked.filter(isServed).map(({ firstMs }) => firstMs ?? 0),
      0.95,
    );
  return [
    { case: 'L6 alone', ...figuresOf(alone) },
    { case: 'L6 beside 100x', ...figuresOf(beside), 'of alone': late(beside) / late(alone) },
  ];
};

export const cases: Record<string, Case> = { L1, L2, L3, L4, L5, L6 };
