import { invalid } from './api-error.ts';

export type Form = { [name: string]: string | Form | (string | Form)[] };
type Branch = Map<string, Branch | string>;

const DEPTH_MAX = 8;
const FIELDS_MAX = 1000;
const neverNames = new Set(['__proto__', 'constructor', 'prototype']);

/** `a[b][0]=c` as `{ a: { b: ['c'] } }`, as Stripe's libraries write and read it. Numbers stay text. */
export function readForm(text: string): Form {
  const root: Branch = new Map();
  const fields = [...new URLSearchParams(text)];
  if (fields.length > FIELDS_MAX) throw invalid('', 'The request has too many parameters.');
  for (const [name, value] of fields) {
    if (text.includes('%00') && `${name}${value}`.includes('\0')) throw unknown(name.replaceAll('\0', ''));
    place(root, name, value);
  }
  return asForm(root);
}

function place(root: Branch, name: string, value: string): void {
  const first = name.split('[', 1)[0] ?? '';
  const path = [
    first,
    ...[...name.slice(first.length).matchAll(/\[([^[\]]*)\]/g)].map(([, key = '']) => key),
  ];
  const written =
    first +
    path
      .slice(1)
      .map((key) => `[${key}]`)
      .join('');
  if (written !== name || path.length > DEPTH_MAX || path.some((key) => neverNames.has(key)) || first === '')
    throw unknown(name);
  let branch = root;
  for (const key of path.slice(0, -1)) {
    const next = branch.get(nameIn(branch, key)) ?? new Map();
    if (typeof next === 'string') throw unknown(name);
    branch.set(nameIn(branch, key), next);
    branch = next;
  }
  branch.set(nameIn(branch, path.at(-1) ?? ''), value);
}

/** `a[]` appends to the list. */
function nameIn(branch: Branch, key: string): string {
  return key === '' ? String(branch.size) : key;
}

function asForm(branch: Branch): Form {
  return Object.fromEntries([...branch].map(([key, value]) => [key, valueOf(value)]));
}

function valueOf(value: Branch | string): string | Form | (string | Form)[] {
  if (typeof value === 'string') return value;
  const isList = [...value.keys()].every((key) => /^\d{1,3}$/.test(key));
  if (!isList) return asForm(value);
  return [...value]
    .toSorted(([a], [b]) => Number(a) - Number(b))
    .map(([, item]) => valueOf(item) as string | Form);
}

function unknown(name: string) {
  return invalid(name, `Received unknown parameter: ${name}`, 'parameter_unknown');
}
