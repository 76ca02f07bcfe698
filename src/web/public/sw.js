/*
 * Makes repeat visits quick and an offline start possible. It keeps files whose names carry a hash of their content, and
 * one copy of the page shell for when the network is gone. It never keeps an answer of the API.
 */
const CACHE = 'parley-1';
const SHELL = '/';
const ASSETS_MAX = 200;
/** Said by what stands before the server, in its place. */
const GATEWAY_STATUSES = [502, 503, 504];

self.addEventListener('install', (event) => {
  event.waitUntil(keepShell().then(() => self.skipWaiting()));
});

self.addEventListener('activate', (event) => {
  event.waitUntil(removeOldCaches().then(() => self.clients.claim()));
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== self.location.origin) return;
  if (url.pathname.startsWith('/assets/')) event.respondWith(fromCacheFirst(request));
  else if (request.mode === 'navigate' && isPage(url.pathname)) event.respondWith(page(request));
});

/** Somebody waits for a person; see `features/push`. */
self.addEventListener('push', (event) => {
  const { title, body, url, tag } = event.data.json();
  event.waitUntil(self.registration.showNotification(title, { body, tag, icon: '/icon.svg', data: { url } }));
});

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(show(event.notification.data.url));
});

/** In a window that is open already, if there is one. */
async function show(path) {
  const url = new URL(path, self.location.origin).href;
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const there = windows.find((each) => each.url === url);
  return there ? there.focus() : self.clients.openWindow(url);
}

/** Pages of the app; the API, its documentation, downloads, mails, storefronts and the widget's frame are none of this worker's business. */
function isPage(pathname) {
  return !/^\/(v1|embed|s|docs|dev|files|images|socket\.io|openapi\.json|metrics|healthz|readyz)(\/|$)/.test(
    pathname,
  );
}

async function keepShell() {
  const cache = await caches.open(CACHE);
  const response = await fetch(SHELL, { cache: 'reload', credentials: 'omit' });
  if (response.ok) await cache.put(SHELL, response);
}

async function removeOldCaches() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name)));
}

/** Without a network, or a server at its other end, the shell: it says so, and goes on when it is back. */
async function page(request) {
  try {
    const response = await fetch(request);
    const isAway = GATEWAY_STATUSES.includes(response.status);
    return (isAway && (await caches.match(SHELL))) || response;
  } catch (error) {
    const shell = await caches.match(SHELL);
    if (shell) return shell;
    throw error;
  }
}

async function fromCacheFirst(request) {
  const cache = await caches.open(CACHE);
  const kept = await cache.match(request);
  if (kept) return kept;
  const response = await fetch(request);
  if (response.ok) {
    await cache.put(request, response.clone());
    await dropOldest(cache);
  }
  return response;
}

async function dropOldest(cache) {
  const requests = await cache.keys();
  const surplus = requests.length - ASSETS_MAX;
  await Promise.all(requests.slice(0, Math.max(0, surplus)).map((request) => cache.delete(request)));
}
