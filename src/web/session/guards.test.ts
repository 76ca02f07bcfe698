import { isNotFound, isRedirect } from '@tanstack/react-router';
import { beforeAll, expect, test, vi } from 'vitest';
import type { admit as Admit } from './guards.ts';

vi.stubGlobal('addEventListener', () => undefined);
vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ session: null })));

let admit: typeof Admit;
beforeAll(async () => {
  ({ admit } = await import('./guards.ts'));
});

const destination = { href: '/platform/x', params: { orgId: 'x' }, preload: false };
const refusal = (routes: Parameters<typeof admit>[0]) =>
  admit(routes, destination).catch((error: unknown) => error);

test('an unknown guard is an error page with status 500', async () => {
  expect(await refusal([{ guards: ['is-nobody'] }])).toMatchObject({
    status: 500,
    message: 'Unknown middleware',
  });
});

test('a page whose validate rule fails does not exist for anybody', async () => {
  expect(isNotFound(await refusal([{ guards: ['is-auth'] }, { validate: () => false }]))).toBe(true);
});

test('a guarded page redirects signed-out people to sign up', async () => {
  const error = await refusal([{ guards: ['is-auth'] }]);
  expect(isRedirect(error) && error.options).toMatchObject({ to: '/auth', search: { signup: true } });
});
