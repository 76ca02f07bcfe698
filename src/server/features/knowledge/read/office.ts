import path from 'node:path/posix';
import { UnreadableError } from './document.ts';
import { findAll, findFirst, localName, textOf, xmlTree, type XmlElement } from './xml.ts';
import type { Archive } from './zip.ts';

export interface Relation {
  /** The last part of its type URI: `slide`, `notesSlide`, `worksheet`. */
  type: string;
  /** The name of a part of the same archive. */
  target: string;
}

/** What a part of an Office file refers to, by id. External references are left out, so nothing ever requests them. */
export function relationsOf(archive: Archive, part: string): Map<string, Relation> {
  const relations = referencesOf(archive, part)
    .filter((attributes) => attributes['TargetMode'] !== 'External')
    .map((attributes): [string, Relation] => [
      attributes['Id'] ?? '',
      {
        type: attributes['Type']?.split('/').at(-1) ?? '',
        target: path.resolve('/', path.dirname(part), attributes['Target'] ?? '').slice(1),
      },
    ]);
  return new Map(relations);
}

/** The addresses that a part's links lead to, by id: for reading only. */
export function linksOf(archive: Archive, part: string): Map<string, string> {
  const links = referencesOf(archive, part)
    .filter(({ TargetMode, Type }) => TargetMode === 'External' && Type?.endsWith('/hyperlink'))
    .map(({ Id = '', Target = '' }): [string, string] => [Id, Target]);
  return new Map(links);
}

function referencesOf(archive: Archive, part: string): Record<string, string>[] {
  const data = archive.read(`${path.dirname(part)}/_rels/${path.basename(part)}.rels`);
  return data ? findAll(xmlTree(data), 'Relationship').map(({ attributes }) => attributes) : [];
}

/** The prefixed id: there is also an unprefixed one, which means something else. */
export function relationIdOf({ attributes }: Pick<XmlElement, 'attributes'>): string {
  const [, id = ''] =
    Object.entries(attributes).find(([name]) => name !== 'id' && localName(name) === 'id') ?? [];
  return id;
}

/** A part that every file of this kind must have. */
export function requiredPart(archive: Archive, name: string): XmlElement {
  const data = archive.read(name);
  if (!data) throw new UnreadableError('This file is damaged and cannot be read.');
  return xmlTree(data);
}

/** The title in the properties; null if there is none. */
export function titleOf(archive: Archive): string | null {
  const data = archive.read('docProps/core.xml');
  return (data && textOf(findFirst(xmlTree(data), 'title')).trim()) || null;
}
