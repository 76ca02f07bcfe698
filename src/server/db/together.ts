import { setImmediate as nextRound } from 'node:timers/promises';
import type { SQL } from 'drizzle-orm';
import { isRefused } from './errors.ts';
import type { Early, OftenOnes, Split } from './often.ts';
import type { AnyShape, Filled, Given } from './shape.ts';

/** More statements than these in one message would make the first of them wait for the last. */
const TOGETHER_MAX = 16;
/**
 * For so long after one that wants its rows early found another one under way, none is split: two statements take more of the processor than
 * one, so splitting helps only while the database has time to spare.
 */
const CROWDED_MS = 100;

type Row = Record<string, unknown>;
type Rows = Row[];

interface Asked {
  statement: SQL | Filled;
  /** Takes the rows before they are committed, where it is alone: with others it has them at once with the commit, for one message less. */
  isEarly: boolean;
  /** Where it is alone and can be split, takes what it reads while it still writes. */
  maySplit: boolean;
  resolve: (answer: Early) => void;
  reject: (error: unknown) => void;
}

type Ask = <R extends Row>(
  organizationId: string,
  statement: SQL | Filled,
  options: { isEarly: boolean },
) => Promise<Early<R>>;

/**
 * Statements of an organization that come while others of it are under way wait for these and then go together: one round trip,
 * one commit for all, and nobody waits for a row that another of them holds (its credits, above all). Those of one shape are one
 * statement. Each is done or fails by itself: what PostgreSQL refuses together was not done, and is done again one by one.
 */
export function together(ones: OftenOnes): Ask {
  const waiting = new Map<string, Asked[]>();
  let crowdedUntil = 0;

  const work = async (organizationId: string): Promise<void> => {
    // Those who ask in the same moment are all here before the first goes: also who is still to be heard in this round of the event loop.
    await nextRound();
    for (let asked = waiting.get(organizationId); asked?.length; asked = waiting.get(organizationId))
      await run(ones, organizationId, asked.splice(0, TOGETHER_MAX));
    waiting.delete(organizationId);
  };

  return <R extends Row>(
    organizationId: string,
    statement: SQL | Filled,
    { isEarly }: { isEarly: boolean },
  ) =>
    new Promise<Early<R>>((resolve, reject) => {
      const answer = (early: Early) => resolve(early as Early<R>);
      if (isEarly && waiting.size > 0) crowdedUntil = performance.now() + CROWDED_MS;
      const maySplit = isEarly && performance.now() > crowdedUntil;
      const asked: Asked = { statement, isEarly, maySplit, resolve: answer, reject };
      const others = waiting.get(organizationId);
      if (others) return void others.push(asked);
      waiting.set(organizationId, [asked]);
      return void work(organizationId);
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
    // Who asks is told whether it was done; the next ones only wait for it.
    await early.committed.catch(() => undefined);
  } catch (error) {
    reject(error);
  }
}

/** Who is asked for in one statement. */
interface AskedSet {
  asked: Asked[];
  shape: AnyShape | undefined;
  /** By each of them, of a shape. */
  given: Given[];
}

/** In the order of the first of each. */
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

/** One after the other: the first goes on as far as it comes before the next is looked at, so that not all are as late as the last. */
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
