/** The guides from `docs/guides`. */
const files = import.meta.glob<string>('../../../../docs/guides/*.md', {
  query: '?raw',
  import: 'default',
  eager: true,
});

/** In the order a newcomer needs them; the others follow by name. */
const first = [
  'getting-started',
  'agents',
  'knowledge',
  'chat',
  'organization',
  'tools',
  'widget',
  'programs',
  'models',
];

export interface Guide {
  name: string;
  title: string;
  /** Markdown without the title; its headings start at level one. */
  text: string;
}

export const guides: readonly Guide[] = Object.entries(files)
  .map(([path, file]) => guideOf(path.slice(path.lastIndexOf('/') + 1, -'.md'.length), file))
  .toSorted((a, b) => placeOf(a.name) - placeOf(b.name) || a.name.localeCompare(b.name));

function guideOf(name: string, file: string): Guide {
  const [title = '', ...lines] = file.trim().split('\n');
  return { name, title: title.replace(/^# /, ''), text: lines.join('\n').replaceAll(/^#(?=#)/gm, '') };
}

function placeOf(name: string): number {
  const place = first.indexOf(name);
  return place < 0 ? first.length : place;
}

/** The guides that contain every word of the query. */
export function findGuides(query: string): readonly Guide[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return guides.filter(({ title, text }) => {
    const all = `${title} ${text}`.toLowerCase();
    return words.every((word) => all.includes(word));
  });
}

/** The target of a link in a guide: another guide, or a heading; null if it leads elsewhere. */
export function guideLink(href: string): { name: string | null; hash: string } | null {
  const [, name = '', hash = ''] = /^(?:\.\/)?([\w-]+\.md)?(?:#([\w-]+))?$/.exec(href) ?? [];
  if (name === '' && hash === '') return null;
  return { name: name === '' ? null : name.slice(0, -'.md'.length), hash };
}

/** A heading's anchor. */
export function anchorOf(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, '')
    .replaceAll(/\s+/g, '-');
}
