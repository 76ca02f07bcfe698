import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Frame, Page } from '@playwright/test';
import type Axe from 'axe-core';
import type { AxeResults, RunOptions } from 'axe-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Looked {
  /** Only these rules. */
  rules?: string[];
  /** Without the page's frames: one that forbids scripts can't be inspected. */
  isTopOnly?: boolean;
}

/**
 * What axe finds serious or critical in a page's current state and in its frames: rule and element of each. axe is
 * injected once per document, and each frame is checked separately: the builder of `@axe-core/playwright` injects it
 * for every check, and finishes in a second page, which takes ten times as long.
 */
export async function graveFaults(page: Page, { rules, isTopOnly = false }: Looked = {}): Promise<string[]> {
  const options: RunOptions = {
    iframes: false,
    resultTypes: ['violations'],
    ...(rules ? { runOnly: rules } : {}),
  };
  const frames = isTopOnly ? [page.mainFrame()] : page.frames().filter((frame) => !frame.isDetached());
  const results: AxeResults[] = [];
  for (const frame of frames) results.push(await look(frame, options));
  return results
    .flatMap(({ violations }) => violations)
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id} ${html}`));
}

async function look(frame: Frame, options: RunOptions): Promise<AxeResults> {
  if (!(await frame.evaluate(() => 'axe' in globalThis))) await frame.evaluate(source);
  return frame.evaluate(
    (given) => (globalThis as typeof globalThis & { axe: typeof Axe }).axe.run(document, given),
    options,
  );
}
