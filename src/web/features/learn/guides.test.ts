import { expect, test } from 'vitest';
import { anchorOf, findGuides, guideLink, guides } from './guides.ts';

test('every guide has a title and a text, and the first one is for beginners', () => {
  expect(guides[0]?.name).toBe('getting-started');
  for (const { name, title, text } of guides) {
    expect(title, name).toMatch(/^\p{Lu}/u);
    expect(text.length, name).toBeGreaterThan(100);
  }
});

test('every link between guides leads to an existing guide and heading', () => {
  const broken = guides.flatMap((guide) =>
    [...guide.text.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, href = '']) => {
      if (/^https?:/.test(href)) return [];
      const link = guideLink(href);
      const target = link && guides.find(({ name }) => name === (link.name ?? guide.name));
      const headings = [...(target?.text.matchAll(/^#+ (.+)$/gm) ?? [])].map(([, text = '']) =>
        anchorOf(text),
      );
      const isWhole = target && (link?.hash === '' || headings.includes(link?.hash ?? ''));
      return isWhole ? [] : [`${guide.name}: ${href}`];
    }),
  );
  expect(broken).toEqual([]);
});

test('guides are found by all words of a query, in any case', () => {
  expect(findGuides('ROBOTS.txt knowledge').map(({ name }) => name)).toContain('knowledge');
  expect(findGuides('robots.txt zebra')).toEqual([]);
  expect(findGuides(' ')).toEqual(guides);
});
