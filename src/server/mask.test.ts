import { describe, expect, test } from 'vitest';
import { readConfig } from './config/config.ts';
import { createLog } from './log.ts';

const environment = {
  SECRET_KEY: 'canary-secret-key-of-at-least-32-letters',
  SECRET_KEY_PREVIOUS: 'canary-previous-key-of-at-least-32-letters',
  METRICS_TOKEN: 'canary-metrics-token',
  OPENAI_API_KEY: 'sk-canary-openai',
  DATABASE_URL: 'postgres://parley:canary%2Fdatabase@db:5432/parley',
  DATABASE_REPLICA_URL: 'postgres://parley:canary-replica@db-2:5432/parley',
  REDIS_URL: 'redis://:canary-redis@cache:6379',
  SMTP_URL: 'smtp://me:canary-smtp@mail:587',
  STRIPE_SECRET_KEY: 'sk_test_canary',
  STRIPE_WEBHOOK_SECRET: 'whsec_canary',
};

/** What is logged by an installation with all these secrets. */
function written(log: (to: ReturnType<typeof createLog>) => void): string {
  const lines: string[] = [];
  log(
    createLog({ ...readConfig(environment), logLevel: 'debug' }, { write: (line) => void lines.push(line) }),
  );
  expect(lines).toHaveLength(1);
  JSON.parse(lines[0] ?? '');
  return lines[0] ?? '';
}

const failure = (message: string, more: object = {}): Error => Object.assign(new Error(message), more);

describe('a credential is not logged', () => {
  const cases: [string, (to: ReturnType<typeof createLog>) => void][] = [
    ...Object.values(environment).map((secret): (typeof cases)[number] => [
      secret,
      (to) => to.error({ err: failure(`refused ${secret}!`) }, secret),
    ]),
    ['a password as it is', (to) => to.warn('password canary/database was wrong')],
    [
      'headers',
      (to) => to.info({ req: { headers: { authorization: 'Token canary', cookie: 'a=canary "x"' } } }),
    ],
    [
      'headers, deeper',
      (to) => to.info({ a: { b: { c: { 'x-api-key': 'canary', 'Set-Cookie': 'canary' } } } }),
    ],
    ['a bearer in words', (to) => to.info('sent Bearer canary-0123456789 to it')],
    ['an address with a password', (to) => to.info({ url: 'https://joe:canary@host/path' })],
    [
      'an address with a password in an error',
      (to) => to.error({ err: failure('connect amqp://a:canary@b:1/') }),
    ],
    ['tokens in queries', (to) => to.info({ url: '/x?a=1&token=canary&b=2' }, 'GET /auth?code=canary&x=1')],
    ['fields of errors', (to) => to.error({ err: failure('no', { config: { apiKey: 'canary' } }) })],
    ['a bot in a path', (to) => to.info('https://api.telegram.org/bot123:canary/sendMessage')],
  ];
  test.each(cases)('%s', (_name, log) => {
    const line = written(log);
    expect(line).not.toMatch(/canary/);
    expect(line).toContain('[masked]');
  });
});

test('error codes and addresses without credentials are kept', () => {
  const line = written((to) =>
    to.error({ err: failure('no', { code: 'ECONNREFUSED' }), url: 'https://host/path?page=2' }, 'it failed'),
  );
  expect(JSON.parse(line)).toMatchObject({
    err: { code: 'ECONNREFUSED', message: 'no' },
    url: 'https://host/path?page=2',
    msg: 'it failed',
  });
});
