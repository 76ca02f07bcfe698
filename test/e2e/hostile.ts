import type { BrowserContext } from '@playwright/test';
import { isStorableText } from '../../src/contract/common.ts';
import { hostileTexts } from '../../src/web/chat/markdown/hostile-texts.ts';

/** Breaks out of attributes, titles and scripts, as the Markdown payloads break out of Markdown. */
const BREAKOUTS = [
  '"><img src=x onerror=alert(1)>',
  "'><img src=x onerror=alert(1)>",
  '" autofocus onfocus=alert(1) x="',
  "' onmouseover='alert(1)",
  '` onerror=alert(1) `',
  '</title><script>alert(1)</script>',
  '</textarea><script>alert(1)</script>',
  '</style><script>alert(1)</script>',
  '</script><script>alert(1)</script>',
  '</noscript><img src=x onerror=alert(1)>',
  '--><img src=x onerror=alert(1)>',
  ']]><img src=x onerror=alert(1)>',
  '<svg/onload=alert(1)//',
  '<img src=//evil.example/1.png>',
  '<iframe src=javascript:alert(1)>',
  '<input autofocus onfocus=alert(1)>',
  '<marquee onstart=alert(1)>',
  '<a href=javascript:alert(1) autofocus>x</a>',
  '<isindex action=javascript:alert(1)>',
  '<link rel=icon href=//evil.example/i>',
  'javascript:alert(1)//',
  'data:text/html,<script>alert(1)</script>',
  '"-alert(1)-"',
  "';alert(1)//",
  '\\";alert(1)//',
  '${alert(1)}',
  '{{constructor.constructor("alert(1)")()}}',
  '<%= alert(1) %>',
  '\u2028alert(1)\u2029',
  '＜script＞alert(1)＜/script＞',
  '%3Cscript%3Ealert(1)%3C/script%3E',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  '__proto__',
  'constructor',
];

export const payloads: readonly string[] = [...BREAKOUTS, ...hostileTexts].filter(
  (text) => isStorableText(text) && text.trim() !== '',
);

/** The payloads that fit, each on one line. */
export const shortPayloads = (maxCharacters: number): string[] =>
  [...new Set(payloads.map((text) => text.replace(/[\s\p{Cc}]+/gu, ' ').trim()))].filter(
    (text) => text !== '' && text.length <= maxCharacters,
  );

/** All of them, as many per text as fit. */
export function packed(maxCharacters: number): string[] {
  const pieces: string[] = [];
  for (const text of shortPayloads(maxCharacters)) {
    const joined = `${pieces.at(-1) ?? ''} ${text}`.trim();
    if (pieces.length > 0 && joined.length <= maxCharacters) pieces[pieces.length - 1] = joined;
    else pieces.push(text);
  }
  return pieces;
}

export interface Harm {
  /** Scripts that ran, requests to other origins, and what the pages' own policy had to block. */
  executed: string[];
  foreign: string[];
  refused: string[];
}

/** From now on, in all pages of this browser and their frames. */
export async function watchForHarm(context: BrowserContext, own: string): Promise<Harm> {
  const harm: Harm = { executed: [], foreign: [], refused: [] };
  const here = (source: { frame: { url: () => string } }) => source.frame.url();
  await context.exposeBinding('reportExecuted', (source) => harm.executed.push(here(source)));
  await context.exposeBinding('reportRefused', (source, what: string) =>
    harm.refused.push(`${here(source)} ${what}`),
  );
  await context.addInitScript(`
    for (const name of ['alert', 'confirm', 'prompt', 'print']) window[name] = () => void window.reportExecuted();
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) =>
      window.reportRefused([violatedDirective, blockedURI, sample].join(' ')));
  `);
  context.on('request', (request) => {
    const url = request.url();
    if (/^(data|blob|about):/.test(url) || new URL(url).origin === own) return;
    harm.foreign.push(url);
  });
  return harm;
}
