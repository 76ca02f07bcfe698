import path from 'node:path';

const NAME_MAX_CHARACTERS = 200;

/** Control characters, and those that display a name in a different order (`exe.pdf` for `fdp.exe`). */
const hidden = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu;

/** A name that is safe to display: the last part of a path, well-formed, at most 200 characters, keeping its extension. */
export function fileNameOf(given: string): string {
  const base = given.toWellFormed().split(/[/\\]/).at(-1) ?? '';
  const name = base.replace(hidden, '').trim();
  if (/^\.*$/.test(name)) return 'file';
  const extension = path.extname(name).slice(0, 20);
  const stem = name.slice(0, name.length - path.extname(name).length);
  return `${stem.slice(0, NAME_MAX_CHARACTERS - extension.length)}${extension}`.toWellFormed();
}
