import { expect, test, type Page } from '@playwright/test';
import { askWhole, startDesk, type Desk } from './desk.ts';
import { knowledgeIsRead } from './knowledge-read.ts';
import { expectNothingGrave } from './nothing-grave.ts';

/** A passage is long; the sentence that an answer is based on is found in it at once. */

const about = (what: string) =>
  Array.from(
    { length: 6 },
    (_, day) => `On day ${day + 1} the keeper of the ${what} writes a short note.`,
  ).join(' ');
const LANTERNS = `${about('lanterns')}

| Lantern | Burns | Weight |
| --- | --- | --- |
| Tin lantern | 9 hours | 300 g |
| **Brass** lantern | 31 hours | 800 g |

${about('wicks')}

\`\`\`sh
lantern --trim
lantern --light --minutes 20
\`\`\`

${about('oil')} Every lantern of *brass* may be brought back within 40 days.`;

let desk: Desk;
test.beforeAll(async () => {
  desk = await startDesk();
  const { client, agentId, organizationId } = desk.owner;
  const of = { id: agentId, organizationId, type: 'text' } as const;
  await client.knowledge.create({ ...of, description: 'Lanterns', text: LANTERNS });
  await knowledgeIsRead(client, agentId);
});
test.afterAll(() => desk.close());

/** The text that is highlighted, and whether the first of it is in view. */
const highlighted = (page: Page) =>
  page.evaluate(() => {
    const ranges = [...(CSS.highlights.get('cited') ?? [])].filter((range) => range instanceof Range);
    const [first, box] = [ranges[0], document.querySelector('aside blockquote')].map((each) =>
      each?.getBoundingClientRect(),
    );
    const isInView = first && box && first.top >= box.top && first.bottom <= box.bottom;
    return { texts: ranges.map((range) => range.toString().replaceAll(/\s+/g, ' ')), isInView };
  });

for (const width of [360, 1440])
  test(`what an answer took from a passage is highlighted and in view at ${width} px`, async ({ page }) => {
    await page.setViewportSize({ width, height: 640 });
    await desk.begin(page);
    const answer = 'You can bring lanterns of brass back within 40 days. [1]';
    await askWhole(page, desk, 'Can I return a brass lantern?', answer);
    await page.getByRole('button', { name: 'Source 1: Lanterns' }).click();
    const returned = 'Every lantern of brass may be brought back within 40 days.';
    await expect.poll(() => highlighted(page)).toEqual({ texts: [returned], isInView: true });
    await expectNothingGrave(page, { picture: (look) => test.info().outputPath(`passage-${look}.png`) });
    await page.keyboard.press('Escape');
    await expect.poll(() => highlighted(page)).toMatchObject({ texts: [] });

    await askWhole(
      page,
      desk,
      'How long does it burn?',
      'The brass lantern burns for 31 hours [1]. Trim it with `lantern --trim` [1].',
    );
    await page.getByRole('button', { name: 'Source 1: Lanterns' }).last().click();
    await expect
      .poll(() => highlighted(page))
      .toEqual({ texts: ['Brass lantern31 hours800 g', 'lantern --trim'], isInView: true });

    await page.keyboard.press('Escape');
    await askWhole(page, desk, 'And in French?', 'Vous pouvez nous les rendre pendant quarante jours. [1]');
    await page.getByRole('button', { name: 'Source 1: Lanterns' }).last().click();
    await expect(page.getByRole('complementary', { name: 'Passage' })).toContainText('keeper of the wicks');
    expect((await highlighted(page)).texts).toEqual([]);
  });

test('a citation is never alone on a line, without the word it belongs to', async ({ page }) => {
  await desk.begin(page);
  const answer = 'Lanterns can be returned [1]. For how long?[1] For forty days, and **not longer** [1]!';
  await askWhole(page, desk, 'How long do lanterns take to return?', answer);
  const cited = page.getByRole('paragraph').filter({ has: page.getByRole('button', { name: /^Source/ }) });
  /** How many citations are not on the line of the last letter before them. */
  const alone = (width: number) =>
    cited.evaluate((text, inlineSize) => {
      text.style.inlineSize = `${inlineSize}px`;
      const middle = ({ top, bottom }: DOMRect) => (top + bottom) / 2;
      const isAlone = (chip: Element) => {
        const walker = document.createTreeWalker(text, NodeFilter.SHOW_TEXT);
        walker.currentNode = chip;
        let before = walker.previousNode();
        while (before?.textContent?.trim() === '') before = walker.previousNode();
        if (!before) return true;
        const letter = document.createRange();
        const end = (before.textContent ?? '').trimEnd().length;
        letter.setStart(before, end - 1);
        letter.setEnd(before, end);
        return Math.abs(middle(letter.getBoundingClientRect()) - middle(chip.getBoundingClientRect())) > 10;
      };
      return [...text.querySelectorAll('button')].filter(isAlone).length;
    }, width);
  for (let width = 160; width < 420; width += 5) expect(await alone(width), `${width} px`).toBe(0);
});
