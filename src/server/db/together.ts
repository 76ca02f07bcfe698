import { setImmediate as nextRound } from 'node:timers/promises';
import type { SQL } from 'drizzle-orm';
import { isRefused } from './errors.ts';
import type { Early, OftenOnes, Split } from './often.ts';
import type { AnyShape, Filled, Given } from './shape.ts';
import { Queue, type Asked } from './together-queue.ts';

/** With more statements per message, the first would wait for the last. */
const TOGETHER_MAX = 16;
/**
 * How long no statement is split after one that wants its rows early found another in progress: two statements take more
 * CPU time than one, so splitting only helps while the database is mostly idle.
 */
const CROWDED_MS = 100;
/** A message that took longer counts as this: it bounds what a patient statement waits for, also where messages are slow. */
const MESSAGE_MAX_MS = 8;

type Row = Record<string, unknown>;
type Rows = Row[];

type Ask = <R extends Row>(
  organizationId: string,
  statement: SQL | Filled,
  options: { isEarly: boolean },
) => Promise<Early<R>>;

/**
 * Statements of an organization that arrive while others of it are in progress wait for these and are then sent
 * together: one round trip, one commit for all, and no waiting for row locks held by one another (on its credits, above
 * all). Those of the same shape become one statement. Each succeeds or fails on its own: if PostgreSQL rejects the
 * batch, nothing was done, and they are repeated one by one.
 *
 * Those that want their rows early go first, because somebody waits for them. While they crowd, the others wait for a few
 * messages (`together-queue.ts`), and so more of them share one.
 */
export function together(ones: OftenOnes): Ask {
  const queues = new Map<string, Queue>();
  let crowdedUntil = 0;
  /** How long the last message took, of whichever organization. */
  let messageMs = 0;

  const work = async (organizationId: string, queue: Queue): Promise<void> => {
    await queue.gathered(TOGETHER_MAX);
    while (!queue.isEmpty) {
      const started = performance.now();
      const message = queue.next(started, started < crowdedUntil ? messageMs : 0, TOGETHER_MAX);
      if (message.length === 0) {
        await queue.change(messageMs);
        continue;
      }
      await run(ones, organizationId, message);
      messageMs = Math.min(performance.now() - started, MESSAGE_MAX_MS);
    }
    queues.delete(organizationId);
  };

  return <R extends Row>(
    organizationId: string,
    statement: SQL | Filled,
    { isEarly }: { isEarly: boolean },
  ) =>
    new Promise<Early<R>>((resolve, reject) => {
      const answer = (early: Early) => resolve(early as Early<R>);
      const now = performance.now();
      if (isEarly && queues.size > 0) crowdedUntil = now + CROWDED_MS;
      const maySplit = isEarly && now > crowdedUntil;
      const asked: Asked = { statement, isEarly, maySplit, resolve: answer, reject };
      const others = queues.get(organizationId);
      if (others) return others.add(asked, now);
      const queue = new Queue();
      queue.add(asked, now);
      queues.set(organizationId, queue);
      return void work(organizationId, queue);
    });
}

async function run(ones: OftenOnes, organizationId: string, asked: Asked[]): Promise<void> {
  const [only] = asked;
  if (only && asked.length === 1) return runAlone(ones, organizationId, only);
  const sets = inSets(asked);
  let rows: Rows[];
  try {
    rows = await ones.allOften(organizationId, sets.flatMap(statementsOf));
  } catch (error) {
    if (isRefused(error)) for (const each of asked) await runAlone(ones, organizationId, each);
    else for (const { reject } of asked) reject(error);
    return;
  }
  const answered = sets.flatMap((set, index) => answersOf(set, rows[index] ?? []));
  void hand(answered.filter((answer) => !answer.isAlone));
  for (const { asked: each, isAlone } of answered) if (isAlone) await runAlone(ones, organizationId, each);
}

async function runAlone(
  { often, oftenEarly, splitEarly }: OftenOnes,
  organizationId: string,
  { statement, isEarly, maySplit, resolve, reject }: Asked,
): Promise<void> {
  const scope = { organizationId };
  try {
    if (!isEarly) return resolve(done(await often(scope, statement)));
    const isSplit = maySplit && canSplit(statement);
    const early = await (isSplit ? splitEarly(scope, statement) : oftenEarly(scope, statement));
    resolve(early);
    // The askers are told whether it was done; the next ones only wait for it to end.
    await early.committed.catch(() => undefined);
  } catch (error) {
    reject(error);
  }
}

/** The askers merged into one statement. */
interface AskedSet {
  asked: Asked[];
  shape: AnyShape | undefined;
  /** Their arguments, all of one shape. */
  given: Given[];
}

/** In the order of each set's first asker. */
function inSets(asked: Asked[]): AskedSet[] {
  const sets: AskedSet[] = [];
  for (const each of asked) {
    const { shape, given } = ('text' in each.statement && each.statement.asked) || {};
    const isWith = (set: AskedSet) =>
      shape && given && set.shape === shape && !set.given.some((other) => shape.isApart(other, given));
    const set = sets.find(isWith);
    if (!set) sets.push({ asked: [each], shape, given: given ? [given] : [] });
    else if (given) {
      set.asked.push(each);
      set.given.push(given);
    }
  }
  return sets;
}

function statementsOf({ asked, shape, given }: AskedSet): (SQL | Filled)[] {
  return shape && given.length > 1 ? [shape.withAll(given)] : asked.map(({ statement }) => statement);
}

interface Answered {
  asked: Asked;
  rows: Rows;
  /** It depended on the others, and nothing was done. */
  isAlone: boolean;
}

function answersOf({ asked, shape, given }: AskedSet, rows: Rows): Answered[] {
  if (!shape || given.length === 1) return asked.map((each) => ({ asked: each, rows, isAlone: false }));
  const byWhom = Map.groupBy(rows, ({ askedBy }) => askedBy);
  return asked.map((each, index) => {
    const own = byWhom.get(shape.askedBy(given[index] ?? {})) ?? [];
    return { asked: each, rows: own, isAlone: own.some(({ alone }) => alone === true) };
  });
}

/** One after another: each continues as far as it can before the next, so that not all are as late as the last. */
async function hand(answered: Answered[]): Promise<void> {
  for (const { asked, rows } of answered) {
    asked.resolve(done(rows));
    await nextRound();
  }
}

function done(rows: Rows): Early {
  return { rows, committed: Promise.resolve(rows) };
}

function canSplit(statement: SQL | Filled): statement is Split {
  return 'split' in statement && statement.split !== undefined;
}
