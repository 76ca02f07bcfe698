import { expect, test } from 'vitest';
import type { Egress, EgressResponse } from '../../egress/egress.ts';
import { fetchPage } from './page.ts';

/** A web of a few addresses; what is not in it answers 404. */
function web(pages: Record<string, Partial<EgressResponse> & { text?: string }>): Egress {
  return {
    fetch: async (url) => {
      const { text = '', ...page } = pages[url] ?? { status: 404 };
      return { status: 200, headers: {}, url, contentType: 'text/html', body: Buffer.from(text), ...page };
    },
  };
}

const get = (egress: Egress, url: string) => fetchPage(egress, new Map(), url, new AbortController().signal);

test('a page that robots.txt forbids is not read', async () => {
  const egress = web({
    'https://a.example/robots.txt': { text: 'User-agent: *\nDisallow: /private' },
    'https://a.example/open': { text: 'Open.' },
  });
  await expect(get(egress, 'https://a.example/private/x')).rejects.toThrow('robots.txt');
  await expect(get(egress, 'https://a.example/open')).resolves.toMatchObject({
    kind: 'html',
    url: 'https://a.example/open',
  });
});

test('a site may name the reader in its rules', async () => {
  const egress = web({
    'https://a.example/robots.txt': { text: 'User-agent: ParleyBot\nDisallow: /' },
    'https://a.example/': {},
  });
  await expect(get(egress, 'https://a.example/')).rejects.toThrow('robots.txt');
});

test('a site without rules may be read, one whose rules cannot be had may not', async () => {
  await expect(get(web({ 'https://a.example/': {} }), 'https://a.example/')).resolves.toBeTruthy();
  await expect(
    get(
      web({ 'https://a.example/robots.txt': { status: 503 }, 'https://a.example/': {} }),
      'https://a.example/',
    ),
  ).rejects.toThrow('robots.txt');
});

test('after a redirect to another site its rules count as well', async () => {
  const egress = web({
    'https://a.example/': { url: 'https://b.example/x' },
    'https://b.example/robots.txt': { text: 'User-agent: *\nDisallow: /' },
  });
  await expect(get(egress, 'https://a.example/')).rejects.toThrow('robots.txt');
});

test('what cannot be read is said', async () => {
  await expect(
    get(web({ 'https://a.example/x': { contentType: 'image/png' } }), 'https://a.example/x'),
  ).rejects.toThrow('image/png');
  await expect(get(web({}), 'https://a.example/x')).rejects.toThrow('The site answered 404.');
});
