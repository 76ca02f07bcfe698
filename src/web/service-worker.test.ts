import { readFile } from 'node:fs/promises';
import vm from 'node:vm';
import { beforeEach, expect, test } from 'vitest';

/** The worker as the browser runs it, with an inspectable cache. */

const ORIGIN = 'https://parley.example';
type Handler = (event: object) => void;

const handlers = new Map<string, Handler>();
const kept = new Map<string, string>();
let isOffline = false;
let status = 200;
let notifications: unknown[];
let opened: string[];
let windows: { url: string; focus: () => void }[];

beforeEach(async () => {
  handlers.clear();
  kept.clear();
  isOffline = false;
  status = 200;
  [notifications, opened, windows] = [[], [], []];
  const key = (request: Request | string) =>
    new URL(typeof request === 'string' ? request : request.url, ORIGIN).pathname;
  const cache = {
    put: async (request: Request | string, response: Response) =>
      void kept.set(key(request), await response.text()),
    match: async (request: Request | string) => {
      const text = kept.get(key(request));
      return text === undefined ? undefined : new Response(text);
    },
    keys: async () => [],
  };
  const self = {
    location: { origin: ORIGIN },
    addEventListener: (name: string, handler: Handler) => handlers.set(name, handler),
    skipWaiting: () => undefined,
    registration: { showNotification: async (...shown: unknown[]) => void notifications.push(shown) },
    clients: {
      matchAll: async () => windows,
      openWindow: async (url: string) => void opened.push(url),
    },
  };
  const fetch = async (request: Request | string, init?: RequestInit) => {
    if (isOffline) throw new TypeError('offline');
    return new Response(`${key(request)} ${init?.credentials ?? 'cookies'}`, { status });
  };
  const caches = { open: async () => cache, match: cache.match };
  vm.runInNewContext(await readFile('src/web/public/sw.js', 'utf8'), { self, fetch, caches, URL });
});

/** The worker's response; undefined if it leaves the request to the browser. */
async function ask(path: string, mode: 'navigate' | 'cors' = 'cors', method = 'GET') {
  let answer: Promise<Response> | undefined;
  const request = { url: ORIGIN + path, method, mode };
  handlers.get('fetch')?.({ request, respondWith: (given: Promise<Response>) => (answer = given) });
  return answer && (await answer).text();
}

async function install(): Promise<void> {
  let done: Promise<unknown> = Promise.resolve();
  handlers.get('install')?.({ waitUntil: (given: Promise<unknown>) => (done = given) });
  await done;
}

test('API responses, personal files and downloads bypass the worker', async () => {
  for (const path of [
    '/v1/chat',
    '/v1/user',
    '/files/a.pdf',
    '/images/x.png',
    '/socket.io/?x',
    '/openapi.json',
  ])
    for (const mode of ['cors', 'navigate'] as const)
      expect([path, await ask(path, mode)]).toEqual([path, undefined]);
  expect(await ask('/chat', 'navigate', 'POST')).toBeUndefined();
  expect([...kept.keys()]).toEqual([]);
});

test('it caches only the empty shell, fetched without cookies, and shows it offline', async () => {
  await install();
  expect([...kept]).toEqual([['/', '/ omit']]);
  expect(await ask('/chat/cnv_1', 'navigate')).toBe('/chat/cnv_1 cookies');
  expect([...kept.keys()]).toEqual(['/']);
  isOffline = true;
  expect(await ask('/chat/cnv_1', 'navigate')).toBe('/ omit');
  // Nor when a proxy reports that there is no server, which would not recover by itself.
  isOffline = false;
  status = 502;
  expect(await ask('/chat/cnv_1', 'navigate')).toBe('/ omit');
  status = 404;
  expect(await ask('/chat/cnv_1', 'navigate')).toBe('/chat/cnv_1 cookies');
});

test('the widget frame and storefronts, which are not app pages, bypass the worker', async () => {
  expect(await ask('/s/lamps', 'navigate')).toBeUndefined();
  expect(await ask('/embed/agt_1', 'navigate')).toBeUndefined();
});

test('a waiting person is announced, and a click opens the conversation, in an existing window if possible', async () => {
  const told = {
    title: 'Bob asks for a person',
    body: 'My bill',
    url: '/platform/org_1/inbox/cnv_1',
    tag: 'cnv_1',
  };
  const waiting: Promise<unknown>[] = [];
  const waitUntil = (work: Promise<unknown>) => waiting.push(work);
  handlers.get('push')?.({ data: { json: () => told }, waitUntil });
  await Promise.all(waiting);
  expect(notifications).toEqual([
    [told.title, { body: 'My bill', tag: 'cnv_1', icon: '/icon.svg', data: { url: told.url } }],
  ]);
  const click = async () => {
    handlers.get('notificationclick')?.({
      notification: { close: () => undefined, data: { url: told.url } },
      waitUntil,
    });
    await Promise.all(waiting);
  };
  await click();
  expect(opened).toEqual([ORIGIN + told.url]);
  let focused = 0;
  windows = [{ url: ORIGIN + told.url, focus: () => void (focused += 1) }];
  await click();
  expect([opened.length, focused]).toEqual([1, 1]);
});
