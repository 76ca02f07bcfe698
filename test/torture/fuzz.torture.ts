import { expect, test } from 'vitest';
import { routes } from '../fuzz/requests.ts';
import { fuzz, neverReached, requireQuick } from '../fuzz/run.ts';

const REQUESTS = Number(process.env['FUZZ_REQUESTS'] ?? 1_000_000);
/** A new seed each time: it is printed, and reproduces the same requests. */
const SEED = Number(process.env['FUZZ_SEED'] ?? Math.floor(Math.random() * 1e9));

test(`${REQUESTS} requests of every kind by all callers do no harm and reveal nothing`, async () => {
  console.log(`FUZZ_SEED=${SEED}`);
  const report = await fuzz(REQUESTS, SEED);
  console.log(`${report.requests} requests, by status`, report.statuses);
  console.log('never reached:', neverReached(report).join(', '));
  requireQuick(report);
  expect(routes.size - neverReached(report).length).toBeGreaterThan(REQUESTS < 100_000 ? 0 : 200);
});
