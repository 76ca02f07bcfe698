import { createHash } from 'node:crypto';
import { text } from '../../../html.ts';

export function day(seconds: number | null): string {
  if (seconds === null) return '';
  return new Date(seconds * 1000).toLocaleDateString('en', { dateStyle: 'long', timeZone: 'UTC' });
}

export interface Field {
  name: string;
  label: string;
  type?: 'email' | 'text';
  value?: string;
  hint?: string;
  autocomplete?: string;
  inputmode?: 'numeric';
  isOptional?: boolean;
}

export function field({
  name,
  label,
  type = 'text',
  value = '',
  hint,
  autocomplete,
  inputmode,
  isOptional,
}: Field): string {
  const described = hint ? ` aria-describedby="${name}-hint"` : '';
  const mode = inputmode ? ` inputmode="${inputmode}"` : '';
  return `<p class="field"><label for="${name}">${text(label)}</label>
<input id="${name}" name="${name}" type="${type}" value="${text(value)}" autocomplete="${autocomplete ?? 'off'}"${mode}${isOptional ? '' : ' required'}${described}>
${hint ? `<small id="${name}-hint">${text(hint)}</small>` : ''}</p>`;
}

export function button(label: string, action: string, kind: 'main' | 'plain' = 'main'): string {
  return `<button class="${kind}" name="action" value="${text(action)}">${text(label)}</button>`;
}

export function form(address: string, content: string): string {
  return `<form method="post" action="${text(address)}">${content}</form>`;
}

export function linkTo(address: string | null | undefined, label: string): string {
  return address ? `<p><a href="${text(address)}">${text(label)}</a></p>` : '';
}

export function problem(message: string | undefined): string {
  return message === undefined ? '' : `<p class="problem" role="alert">${text(message)}</p>`;
}

export interface PageAnswer {
  status: number;
  html?: string;
  /** Where to redirect the browser. */
  location?: string;
  /** Origins, besides our own, that a form on this page may lead to. */
  leadsTo?: string[];
}

export function page(
  title: string,
  content: string,
  { status = 200, leadsTo = [] }: { status?: number; leadsTo?: string[] } = {},
): PageAnswer {
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark"><title>${text(title)}</title><style>${style}</style></head>
<body><header class="mode"><strong>Test mode:</strong> no money moves.</header><main><h1>${text(title)}</h1>
${content}</main></body></html>`;
  return { status, html, leadsTo };
}

export function goTo(location: string): PageAnswer {
  return { status: 303, location };
}

/** Query parameter of a page that shows the outcome of an action: opened without it, the page doesn't mention it. */
export const SAID = 'said';

/**
 * Redirects to the page with its current message. An action is never answered with the page itself: otherwise "back"
 * from a later page would only find the browser's prompt to resubmit a form.
 */
export function again(id: string, isSaying = true): PageAnswer {
  return goTo(isSaying ? `${id}?${SAID}` : id);
}

/** The origin of an address, for the policy on form targets. */
export function originsOf(...addresses: (string | null | undefined)[]): string[] {
  return addresses.map((each) => URL.parse(each ?? '')?.origin).filter((origin) => origin !== undefined);
}

const style = `:root{color-scheme:light dark;--back:#f4f4f6;--card:#fff;--ink:#1b1b1f;--soft:#5c5c66;--line:#8a8a94;--main:#4a4ac4;--on-main:#fff;--bad:#a3141f;--note:#fff3c4;--on-note:#4a3800}
@media (prefers-color-scheme:dark){:root{--back:#131316;--card:#1d1d21;--ink:#ececf0;--soft:#a9a9b3;--line:#74747e;--main:#a3a3ff;--on-main:#131316;--bad:#ff9aa2;--note:#3b3000;--on-note:#ffe69a}}
*{box-sizing:border-box}body{margin:0;background:var(--back);color:var(--ink);font:16px/1.5 system-ui,sans-serif}
.mode{margin:0;padding:8px 16px;background:var(--note);color:var(--on-note);text-align:center}
main{max-width:560px;margin:24px auto;padding:24px;background:var(--card);border-radius:8px}
@media (max-width:600px){main{margin:0;padding:16px;border-radius:0}}
h1{margin:0 0 16px;font-size:24px;line-height:1.25}h2{margin:24px 0 8px;font-size:18px}
ul,dl{margin:0 0 16px;padding:0;list-style:none}.row{display:flex;flex-wrap:wrap;justify-content:space-between;gap:4px 16px;padding:8px 0;border-bottom:1px solid color-mix(in srgb,var(--line) 40%,transparent);overflow-wrap:anywhere}
.total{font-weight:600}.field{margin:0 0 16px}label{display:block;margin-bottom:4px;font-weight:500}small,.soft{color:var(--soft)}
input,select{width:100%;min-height:44px;padding:8px 12px;border:1px solid var(--line);border-radius:8px;background:var(--card);color:var(--ink);font:inherit}
button{min-height:44px;padding:8px 18px;border:1px solid var(--main);border-radius:8px;font:inherit;font-weight:500;cursor:pointer}
button.main{background:var(--main);color:var(--on-main)}button.plain{background:transparent;color:var(--main)}
form{display:block;margin:0 0 12px}fieldset{margin:0;padding:0;border:0}legend{padding:0 0 8px}a{color:var(--main)}:focus-visible{outline:3px solid var(--main);outline-offset:2px}
.problem{padding:12px;border:1px solid var(--bad);border-radius:8px;color:var(--bad)}details{margin:16px 0}`;

/** The hash of these pages' single style, for the policy. */
export const styleHash = `'sha256-${createHash('sha256').update(style).digest('base64')}'`;
