import * as fc from 'fast-check';
import { expect } from 'vitest';
import type { Product } from '../product.ts';
import {
  fuzzCallers,
  furnishFixture,
  differenceOf,
  rowsOf,
  outsiders,
  type Fixture,
  type FuzzCaller,
} from './fixture.ts';
import { faultsOf, SLOW_MS } from './oracles.ts';
import { Ids, requestOf, routes, sequenceOf, type FuzzRequest, type Step } from './requests.ts';

/** Requests per copy of the fixture: with fewer, starting dominates; with more, most of the fixture is gone. */
const BATCH = 2500;
const LANES = 3;
/** One in this many batches is made by the owner and the program of the other organization. */
const OUTSIDERS_EVERY = 6;
/** Tokens are valid for an hour. */
const FIXTURE_LIFETIME_MS = 40 * 60_000;

export interface Report {
  requests: number;
  statuses: Record<number, number>;
  /** How often each call has succeeded. */
  succeeded: Map<string, number>;
  durations: { call: string; ms: number }[];
}

/** Tables that non-members also write: by talking with a public agent, and what follows from that. */
const written = /^(insight_|question_reading|usage)/;
const talked =
  /^(visitor$|conversation|message|answer|turn|tool_call|attachment|chat_link|room|lead|handover|end_user|note|passage|citation|audit|question|topic|purchase|entitlement|ledger)/;

/** Makes that many requests. A failure names its batch's seed and the shortest failing sequence. */
export async function fuzz(requests: number, seed: number): Promise<Report> {
  const report: Report = { requests: 0, statuses: {}, succeeded: new Map(), durations: [] };
  const unhandled: unknown[] = [];
  const remember = (error: unknown) => void unhandled.push(error);
  process.on('unhandledRejection', remember);
  process.on('uncaughtException', remember);
  let fixture = await furnishFixture();
  let furnished = Date.now();
  try {
    for (let batch = 0; report.requests < requests; batch += 1) {
      if (Date.now() - furnished > FIXTURE_LIFETIME_MS) {
        await fixture.close();
        fixture = await furnishFixture();
        furnished = Date.now();
      }
      await runBatch(fixture, seed + batch, Math.min(BATCH, requests - report.requests), report);
      expect(unhandled, `FUZZ_SEED=${seed + batch}: nothing is left unhandled`).toEqual([]);
    }
  } finally {
    process.off('unhandledRejection', remember);
    process.off('uncaughtException', remember);
    await fixture.close();
  }
  return report;
}

async function runBatch(fixture: Fixture, seed: number, requests: number, report: Report): Promise<void> {
  const logged: string[] = [];
  const product = await fixture.open(logged);
  const { organizationId, foreign } = fixture.world;
  // One side at a time, so that the other's rows must stay unchanged.
  const byOutsiders = seed % OUTSIDERS_EVERY === 0;
  const who = byOutsiders ? outsiders : fuzzCallers.filter((caller) => !outsiders.includes(caller));
  try {
    await unchanged(product, byOutsiders ? organizationId : foreign.organizationId, byOutsiders, seed, () =>
      runLanes(product, fixture, { seed, who, requests }, report).catch((error: unknown) => {
        throw new Error(`${String(error)}\n${saidOf(String(error), logged)}`, { cause: error });
      }),
    );
    const told = fixture.canaries.filter((canary) => logged.some((line) => line.includes(canary)));
    expect(told, `FUZZ_SEED=${seed}: no log line holds a secret`).toEqual([]);
    expect(logged.length).toBeGreaterThan(0);
  } finally {
    await product.close();
  }
}

/** The server's log lines for the requests named in a failure: its responses don't reveal what went wrong inside. */
function saidOf(failure: string, logged: string[]): string {
  const requests = failure.match(/req_[\w-]+/g) ?? [];
  return logged.filter((line) => requests.some((request) => line.includes(request))).join('\n');
}

/** An organization's rows are the same before and after what others do. */
async function unchanged(
  product: Product,
  organizationId: string,
  byOutsiders: boolean,
  seed: number,
  work: () => Promise<void>,
): Promise<void> {
  const isLeftOut = (table: string) => written.test(table) || (byOutsiders && talked.test(table));
  const before = await rowsOf(product, organizationId, isLeftOut);
  await work();
  const after = await rowsOf(product, organizationId, isLeftOut);
  const difference = await differenceOf(product, organizationId, { before, after });
  expect(difference, `FUZZ_SEED=${seed}: the rows of the other organization are as they were`).toEqual([]);
}

/** Several sequences in parallel, so that calls overlap. */
async function runLanes(
  product: Product,
  fixture: Fixture,
  { seed, who, requests }: { seed: number; who: readonly FuzzCaller[]; requests: number },
  report: Report,
): Promise<void> {
  const until = report.requests + requests;
  const lane = async (number: number): Promise<void> => {
    for (let round = 0; report.requests < until; round += 1) {
      const sequence = fc.asyncProperty(sequenceOf(who), (steps) =>
        runSequence(product, fixture, steps, report),
      );
      await fc.assert(sequence, {
        seed: (seed * 31 + number) * 1009 + round,
        numRuns: 10,
        reporter: (details) => {
          if (details.failed)
            throw new Error(explain(seed, details.counterexample?.[0] ?? [], details.errorInstance));
        },
      });
    }
  };
  await Promise.all(Array.from({ length: LANES }, (_none, number) => lane(number)));
}

async function runSequence(product: Product, fixture: Fixture, steps: Step[], report: Report): Promise<void> {
  const ids = new Ids(fixture);
  for (const step of steps) {
    const request = await requestOf(step, fixture, ids);
    const started = performance.now();
    const response = await product.app.http.inject(request);
    const ms = performance.now() - started;
    ids.remember(response.body);
    report.requests += 1;
    report.statuses[response.statusCode] = (report.statuses[response.statusCode] ?? 0) + 1;
    if (response.statusCode === 200)
      report.succeeded.set(step.call, (report.succeeded.get(step.call) ?? 0) + 1);
    if (ms > SLOW_MS / 10) report.durations.push({ call: step.call, ms });
    const faults = faultsOf(step, request, response, fixture);
    if (faults.length > 0)
      throw new Error(
        `${step.call} by ${step.caller}: ${faults.join('; ')}\n${shown(request)}\n${response.statusCode} ${response.body.slice(0, 2000)}`,
      );
  }
}

function shown({ method, url, payload, headers }: FuzzRequest): string {
  const { authorization: _token, ...rest } = headers;
  return `${method} ${url.slice(0, 2000)} ${JSON.stringify(rest)}\n${payload?.toString().slice(0, 2000) ?? ''}`;
}

function explain(seed: number, steps: readonly Step[], error: unknown): string {
  const cut = (_name: string, value: unknown) =>
    typeof value === 'string' && value.length > 200
      ? `${value.slice(0, 60)}… (${value.length} characters)`
      : value;
  const lines = steps.map((step) => JSON.stringify(step, cut));
  return `FUZZ_SEED=${seed}\n${error instanceof Error ? error.message : String(error)}\nAfter, at the shortest:\n${lines.join('\n')}`;
}

/** One in a hundred may be slower, since tests share a machine; reports which ones. */
export function requireQuick({ requests, durations }: Report): void {
  const slow = durations.filter(({ ms }) => ms > SLOW_MS);
  const longest = Math.max(0, ...durations.map(({ ms }) => Math.round(ms)));
  console.log(`${slow.length} of ${requests} took more than ${SLOW_MS} ms, the longest ${longest} ms`);
  expect(
    slow.length / requests,
    `slower than ${SLOW_MS} ms: ${JSON.stringify(slow.slice(0, 20))}`,
  ).toBeLessThan(0.01);
}

/** Calls that have never succeeded: what lies behind their checks was not tested. */
export function neverReached({ succeeded }: Report): string[] {
  return [...routes.keys()].filter((call) => !succeeded.has(call));
}
