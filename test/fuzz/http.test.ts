import { expect, test } from 'vitest';
import { TimeZone } from '../../src/contract/common.ts';
import { startProduct } from '../product.ts';
import { routes } from './requests.ts';
import { fuzz, neverReached, requireQuick } from './run.ts';

/** `FUZZ_REQUESTS` and `FUZZ_SEED` configure another run. */
const REQUESTS = Number(process.env['FUZZ_REQUESTS'] ?? 50_000);
const SEED = Number(process.env['FUZZ_SEED'] ?? 108);

test(
  `${REQUESTS} requests of every kind by all callers do no harm and reveal nothing`,
  { timeout: 1_800_000 },
  async () => {
    const report = await fuzz(REQUESTS, SEED);
    console.log(`FUZZ_SEED=${SEED}: ${report.requests} requests, by status`, report.statuses);
    requireQuick(report);
    // A call that never succeeds is not tested.
    const reached = routes.size - neverReached(report).length;
    expect(reached).toBeGreaterThan(REQUESTS < 50_000 ? 0 : 190);
  },
);

/** Regressions found this way. */
test('every accepted time zone is known to the database', async () => {
  const product = await startProduct();
  const legacy = ['CNT', 'cnt', 'IST', 'PST', 'AGT', 'VST', 'MIT', 'utc', 'GMT', 'europe/berlin'];
  for (const zone of [...Intl.supportedValuesOf('timeZone'), ...legacy]) {
    const read = TimeZone.parse(zone);
    const { rows } = await product.app.deps.db.owner.query<{ hour: number }>(
      `select extract(hour from timestamptz '2026-01-15 12:00Z' at time zone $1)::int as hour`,
      [read],
    );
    const hour = new Intl.DateTimeFormat('en', { timeZone: zone, hour: 'numeric', hourCycle: 'h23' });
    expect([zone, rows[0]?.hour]).toEqual([zone, Number(hour.format(new Date('2026-01-15T12:00:00Z')))]);
  }
  await product.close();
});

test('an unparsable address gets the usual error', async () => {
  const product = await startProduct();
  for (const path of [
    `/v1/chatbot/${'w'.repeat(5000)}/knowledge`,
    '/v1/chatbot/%ff/knowledge',
    '/v1/%',
    '/%c0%af',
  ]) {
    const response = await fetch(product.url + path);
    expect([path, response.headers.get('content-type')]).toEqual([
      path,
      'application/problem+json; charset=utf-8',
    ]);
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(((await response.json()) as { requestId: string }).requestId).toBe(
      response.headers.get('x-request-id'),
    );
  }
  await product.close();
});
