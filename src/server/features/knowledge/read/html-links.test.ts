import { expect, test } from 'vitest';
import { readHtml } from './html.ts';

const url = 'https://docs.example/guide/start';
const read = (html: string, robotsTag?: string) => readHtml(`${html}<p>Text.`, { url, robotsTag });

test('a page’s links are extracted as full addresses, in order, each once', () => {
  const html = `<nav><a href="/">Home</a></nav><main><a href="next#part">Next</a><a href="next?utm_source=x">Again</a>
    <a href="//other.example/x">Other</a><a href="mailto:a@b.example">Mail</a><a href="pic.png">Picture</a><a>None</a></main>
    <area href="/map">`;
  expect(read(html).links).toEqual([
    'https://docs.example/',
    'https://docs.example/guide/next',
    'https://other.example/x',
    'https://docs.example/map',
  ]);
});

test('a page’s base address is respected', () => {
  expect(read('<base href="/v2/"><a href="a">A</a>').links).toEqual(['https://docs.example/v2/a']);
  expect(read('<base href="javascript:x"><a href="/a">A</a>').links).toEqual([]);
});

test('a page without an address of its own has only absolute links', () => {
  expect(readHtml('<a href="/a">A</a><a href="https://b.example/">B</a>').links).toEqual([
    'https://b.example/',
  ]);
});

test('a page’s robots directives are respected', () => {
  const robots = (content: string, name = 'robots') =>
    `<meta name="${name}" content="${content}"><a href="/a">A</a>`;
  expect(read(robots('noindex'))).toMatchObject({ isHidden: true, links: ['https://docs.example/a'] });
  expect(read(robots('NOINDEX, NoFollow', 'ParleyBot'))).toMatchObject({ isHidden: true, links: [] });
  expect(read(robots('none'))).toMatchObject({ isHidden: true, links: [] });
  expect(read(robots('noindex', 'otherbot')).isHidden).toBeUndefined();
  expect(read(robots('index, follow')).isHidden).toBeUndefined();
  expect(read('<a rel="noopener nofollow" href="/a">A</a><a rel="me" href="/b">B</a>').links).toEqual([
    'https://docs.example/b',
  ]);
});

test('directives in the site’s response are respected as well', () => {
  const link = '<a href="/a">A</a>';
  expect(read(link, 'noindex, nofollow')).toMatchObject({ isHidden: true, links: [] });
  expect(read(link, 'ParleyBot: noindex')).toMatchObject({ isHidden: true });
  expect(read(link, 'max-image-preview:large, noindex')).toMatchObject({ isHidden: true });
  expect(read(link, 'unavailable_after: 25 Jun 2010, noindex')).toMatchObject({ isHidden: true });
  expect(read(link, 'otherbot: noindex').isHidden).toBeUndefined();
});

test('a page is identified by its canonical address, on its own host', () => {
  const canonical = (href: string) => read(`<link rel="canonical" href="${href}">`).canonical;
  expect(canonical('/guide/start?utm_source=x')).toBe(url);
  expect(canonical('http://www.docs.example/guide')).toBe('http://www.docs.example/guide');
  expect(canonical('https://evil.example/')).toBeUndefined();
  expect(canonical('javascript:alert(1)')).toBeUndefined();
  expect(read('').canonical).toBeUndefined();
});

test('endless links are truncated', () => {
  const started = performance.now();
  const html = Array.from({ length: 100_000 }, (_, n) => `<a href="/${n}">x</a>`).join('');
  expect(read(html).links).toHaveLength(2000);
  expect(performance.now() - started).toBeLessThan(60_000);
});

test('how to reach people is said where a page only links to it', () => {
  const text = (html: string) => readHtml(`<p>${html}</p>`, { url }).text;
  expect(
    text('<a href="mailto:hi%40ferry.example?subject=x">Write</a> or <a href="/form">use the form</a>.'),
  ).toBe('Write (hi@ferry.example) or use the form.');
  expect(text('<a href="tel:+4930123456"><svg></svg></a> until nine')).toBe('+4930123456 until nine');
  expect(
    text(
      'Call <a href="tel:+4930123456">030 / 123 456</a>, <a href="mailto:HI@ferry.example">hi@ferry.example</a>',
    ),
  ).toBe('Call 030 / 123 456, hi@ferry.example');
  expect(text('<a href="mailto:%zz">Write</a> <a href="mailto:">us</a>')).toBe('Write (%zz) us');
});

test('of a page’s links, those whose words only point say where they lead', () => {
  const text = (html: string) => readHtml(`<p>${html}</p>`, { url }).text;
  expect(text('Track your order <a href="/track?from=x">here</a>. <a href="/ships">All ships</a>')).toBe(
    'Track your order here (https://docs.example/track?from=x). All ships',
  );
  expect(text('Zur Anmeldung: <a href="https://b.example/">» Hier klicken!</a>')).toBe(
    'Zur Anmeldung: » Hier klicken! (https://b.example/)',
  );
  expect(text('詳しくは<a href="/ja">こちら</a>')).toBe('詳しくはこちら (https://docs.example/ja)');
  expect(text('<a href="javascript:go()">Here</a> or <a href="#top">here</a>')).toBe(
    'Here or here (https://docs.example/guide/start#top)',
  );
});
