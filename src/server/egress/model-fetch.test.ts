import { afterEach, expect, test } from 'vitest';
import { MODEL_ANSWER_MAX_BYTES } from '../../contract/limits.ts';
import { openLoopbackSite, type LoopbackSite } from './loopback-site.testing.ts';
import { createModelFetch, type ModelFetch } from './model-fetch.ts';

let site: LoopbackSite | undefined;
let fetch: ModelFetch | undefined;
afterEach(async () => {
  await fetch?.close();
  await site?.close();
});

async function open(listener: Parameters<typeof openLoopbackSite>[0], resolved = '127.0.0.1') {
  site = await openLoopbackSite(listener);
  const allowedHosts = [`127.0.0.1:${site.port}`];
  fetch = createModelFetch({ allowedHosts, resolve: async () => [resolved] });
  return { url: `http://127.0.0.1:${site.port}/v1`, site, fetch };
}

test('a person can name neither an internal address nor a name that resolves to one', async () => {
  const { fetch, site } = await open((_request, response) => response.end('inside'));
  for (const address of [
    `http://localhost:${site.port}/`,
    `http://127.0.0.2:${site.port}/`,
    `http://rebound.example:${site.port}/`,
    'http://169.254.169.254/latest/meta-data/',
    'file:///etc/passwd',
  ]) {
    await expect(fetch.byPerson(address, { method: 'POST', body: '{}' })).rejects.toMatchObject({
      code: 'egress/url-not-allowed',
    });
  }
  expect(site.connections()).toBe(0);
});

test('whatever the operator allowed or configured is reachable', async () => {
  const { fetch, url } = await open((_request, response) => response.end('inside'));
  for (const way of [fetch.byOperator, fetch.byPerson])
    expect(await (await way(url, { method: 'POST', body: '{}' })).text()).toBe('inside');
});

test('answers are requested uncompressed', async () => {
  const { fetch, url } = await open((request, response) => response.end(request.headers['accept-encoding']));
  for (const way of [fetch.byOperator, fetch.byPerson])
    expect(await (await way(url)).text()).toBe('identity');
});

test('a redirect is returned as the answer', async () => {
  const seen: string[] = [];
  const { fetch, url } = await open((request, response) => {
    seen.push(`${request.url} ${request.headers.authorization}`);
    response.writeHead(302, { location: '/elsewhere' }).end();
  });
  for (const way of [fetch.byOperator, fetch.byPerson])
    expect((await way(url, { method: 'POST', headers: { authorization: 'key' } })).status).toBe(302);
  expect(seen).toEqual(['/v1 key', '/v1 key']);
});

test('connections are reused for the operator, never for a person', async () => {
  const { fetch, url, site } = await open((_request, response) => response.end('data: [DONE]\n\n'));
  for (let index = 0; index < 3; index += 1) {
    await (await fetch.byOperator(url)).text();
    // Its last event arrives before its end.
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  expect(site.connections()).toBe(1);
  for (let index = 0; index < 3; index += 1) await (await fetch.byPerson(url)).text();
  expect(site.connections()).toBe(4);
});

test('an endless answer is cut off, and its sender with it', async () => {
  const piece = Buffer.alloc(256 * 1024);
  let sent = 0;
  const { fetch, url } = await open((_request, response) => {
    const send = (): void => {
      if (response.destroyed) return;
      sent += piece.length;
      if (response.write(piece)) setImmediate(send);
      else response.once('drain', send);
    };
    send();
  });
  const answer = await fetch.byPerson(url);
  await expect(answer.arrayBuffer()).rejects.toMatchObject({ code: 'egress/failed' });
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(sent).toBeLessThan(MODEL_ANSWER_MAX_BYTES * 2);
});

test('a reader that stops reading holds the sender back', async () => {
  const piece = Buffer.alloc(64 * 1024);
  let sent = 0;
  const { fetch, url } = await open((_request, response) => {
    const send = (): void => {
      if (response.destroyed || sent > 15 * 1024 * 1024) return;
      sent += piece.length;
      if (response.write(piece)) setImmediate(send);
      else response.once('drain', send);
    };
    send();
  });
  const answer = await fetch.byOperator(url);
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(sent).toBeLessThan(12 * 1024 * 1024);
  await answer.body?.cancel();
});

test('a text that mentions the end marker is not the end marker', async () => {
  const text = 'data: {"text":"data: [DONE]"}\n\ndata: more\n\n';
  const { fetch, url } = await open((_request, response) => {
    response.write(text.slice(0, 27));
    setTimeout(() => response.end(text.slice(27)), 30);
  });
  expect(await (await fetch.byOperator(url)).text()).toBe(text);
});

test('an abort ends the request, before its headers and after', async () => {
  const { fetch, url } = await open((request, response) => {
    if (request.url === '/v1/half') response.write('half');
  });
  for (const path of ['', '/half']) {
    const abort = new AbortController();
    setTimeout(() => abort.abort(new Error('enough')), 50);
    const reading = fetch.byPerson(url + path, { signal: abort.signal }).then((response) => response.text());
    await expect(reading).rejects.toThrow();
  }
});
