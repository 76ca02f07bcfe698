import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { calls } from '../../../test/access/calls.ts';
import { startProduct, type Product } from '../../../test/product.ts';
import { UPLOADS_PER_HOUR_AND_ADDRESS, USERNAME_CHECKS_PER_MINUTE } from '../../contract/limits.ts';

/** Every per-address limit of the contract, and what counts as one address. */

let product: Product;
beforeAll(async () => {
  product = await startProduct();
});
afterAll(() => product.close());

interface Limited {
  name: string;
  method: string;
  path: string;
  requests: number;
  seconds: number;
}

const limits: Limited[] = [
  ...calls.flatMap(([name, { method, path, limit }]) =>
    limit ? [{ name, method, path: path.replaceAll(/\{\w+\}/g, 'x'), ...limit }] : [],
  ),
  {
    name: 'an upload in pieces',
    method: 'POST',
    path: '/v1/file/upload',
    requests: UPLOADS_PER_HOUR_AND_ADDRESS,
    seconds: 3600,
  },
];

interface Answer {
  status: number;
  retryAfter: number;
}

/** From this address, through that many proxies; nobody is signed in, since a limit precedes everything else. */
function from(forwarded: string, { method, path }: Pick<Limited, 'method' | 'path'>, url = product.url) {
  return new Promise<Answer>((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const headers = { 'x-forwarded-for': forwarded, 'content-type': 'application/json' };
    const sent = request({ hostname, port, path, method, headers }, (response) => {
      response.resume();
      const retryAfter = Number(response.headers['retry-after']);
      response.on('end', () => resolve({ status: response.statusCode ?? 0, retryAfter }));
    });
    sent.on('error', reject);
    sent.end(method === 'GET' || method === 'HEAD' ? undefined : '{}');
  });
}

/** The statuses of this many requests. */
async function many(count: number, ask: (index: number) => Promise<Answer>): Promise<number[]> {
  const statuses: number[] = [];
  for (let index = 0; index < count; index += 1) statuses.push((await ask(index)).status);
  return statuses;
}

test('sign-in, links, invites, names, visits, uploads, website checks and reports all have a rate limit', () => {
  expect(limits.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      'identity.signInAsGuest',
      'identity.sendSignInLink',
      'identity.confirmSignInLink',
      'identity.startGoogle',
      'member.invite',
      'member.getInvite',
      'member.answerInvite',
      'user.checkUsername',
      'user.uploadPhoto',
      'visitor.authenticate',
      'attachment.add',
      'website.domainLinks',
      'website.sitemapLinks',
      'log.create',
    ]),
  );
});

describe('an address over its limit is told when to retry, and others continue', () => {
  test.each(limits.map((limited, index) => ({ ...limited, index })))(
    '$name',
    async ({ index, ...limited }) => {
      const { requests, seconds } = limited;
      const [one, other] = [`198.18.${index}.1`, `198.18.${index}.2`];
      const began = performance.now();
      expect(await many(requests, () => from(one, limited))).not.toContain(429);
      const elapsed = Math.ceil((performance.now() - began) / 1000);
      for (let more = 0; more < 3; more += 1) {
        const { status, retryAfter } = await from(one, limited);
        expect(status).toBe(429);
        expect(retryAfter).toBeLessThanOrEqual(seconds);
        expect(retryAfter).toBeGreaterThanOrEqual(seconds - elapsed - 2);
      }
      expect((await from(other, limited)).status).not.toBe(429);
    },
  );
});

const check = { method: 'GET', path: '/v1/user/username/free/check' };
const full = (forwarded: (index: number) => string, url = product.url) =>
  many(USERNAME_CHECKS_PER_MINUTE + 1, (index) => from(forwarded(index), check, url));

describe('what counts as one address', () => {
  test('an IPv6 /64 network', async () => {
    expect((await full((index) => `2001:db8:9:1:${index}::${index + 1}`)).at(-1)).toBe(429);
    expect((await from('2001:db8:9:2::1', check)).status).not.toBe(429);
  });

  test('IPv4 in any notation', async () => {
    const spelled = ['203.0.113.77', '::ffff:203.0.113.77', '::FFFF:CB00:714D'];
    expect((await full((index) => spelled[index % 3] ?? '')).at(-1)).toBe(429);
  });

  test('the last entry not written by a trusted proxy, whatever precedes it', async () => {
    expect((await full((index) => `10.1.1.${index}, 203.0.113.78`)).at(-1)).toBe(429);
    expect((await full((index) => `10.1.2.${index}, 203.0.113.78, 127.0.0.1`)).at(0)).toBe(429);
  });

  test('the connection’s address if no proxy is trusted', async () => {
    const direct = await startProduct({ trustedProxies: [] });
    try {
      expect((await full((index) => `10.1.3.${index}`, direct.url)).at(-1)).toBe(429);
    } finally {
      await direct.close();
    }
  });

  test('the client’s address behind proxies of a named trusted range', async () => {
    const behind = await startProduct({ trustedProxies: ['loopback', '10.0.0.0/8'] });
    try {
      expect((await full((index) => `203.0.113.79, 10.9.9.${index}`, behind.url)).at(-1)).toBe(429);
      expect((await from('203.0.113.80, 10.9.9.9', check, behind.url)).status).not.toBe(429);
    } finally {
      await behind.close();
    }
  });
});

test('other spellings and methods share the same counter', async () => {
  const address = '203.0.113.90';
  await full(() => address);
  const { method, path } = check;
  for (const [otherMethod, other] of [
    ['HEAD', path],
    [method, `${path}?a=1`],
    [method, path.replace('free', 'other')],
    [method, path.replace('username', '%75sername')],
    [method, `${path}/`],
    [method, path.toUpperCase()],
    [method, `/${path}`],
    [method, path.replace('/user/', '//user/')],
    [method, path.replace('/user/', '/./user/')],
    [method, `${path};a=b`],
  ] as const) {
    const { status } = await from(address, { method: otherMethod, path: other });
    expect([otherMethod, other, [404, 405, 429].includes(status)]).toEqual([otherMethod, other, true]);
  }
});
