import { beforeEach, expect, test, vi } from 'vitest';
import { createVisits } from './visits.ts';

const answers: (() => Promise<Response>)[] = [];

beforeEach(() => {
  vi.stubGlobal('addEventListener', () => undefined);
  vi.stubGlobal('location', { origin: 'https://parley.test' });
  vi.stubGlobal('fetch', () => answers.shift()?.());
});

const visit = { visitorId: 'vis_1', token: 'first', refreshToken: null, agent: {} };
const endsIn = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();

function refused(status: number, code: string) {
  const headers = { 'content-type': 'application/problem+json' };
  return () => Promise.resolve(Response.json({ status, code, detail: 'No.' }, { status, headers }));
}

async function enter() {
  answers.push(() => Promise.resolve(Response.json({ ...visit, expiresAt: endsIn(30) })));
  const visits = createVisits({ agentId: 'agt_1', site: null, page: undefined });
  visits.enter();
  await vi.waitFor(() => expect(visits.state.get().status).toBe('here'));
  return visits;
}

test('a visit stays on the page if it temporarily cannot be renewed', async () => {
  const visits = await enter();
  answers.push(() => Promise.reject(new TypeError('No line.')));
  await expect(visits.token()).resolves.toBe('first');
  answers.push(refused(429, 'request/rate-limited'));
  await expect(visits.token()).resolves.toBe('first');
  expect(visits.state.get().status).toBe('here');
});

test('a refused visit ends', async () => {
  const visits = await enter();
  answers.push(refused(403, 'visitor/origin-not-allowed'));
  await expect(visits.token()).resolves.toBeUndefined();
  expect(visits.state.get()).toEqual({ status: 'refused', code: 'visitor/origin-not-allowed' });
});
