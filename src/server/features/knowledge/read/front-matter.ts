/** Longer ones are text between two rules. */
const FRONT_MATTER_MAX_CHARACTERS = 20_000;

/**
 * A Markdown file without the fields for its site's generator, between two `---` at its beginning. What a page shows of
 * them is kept: its title, unless the text begins with one, and its description.
 */
export async function withoutFrontMatter(text: string): Promise<string> {
  const end = /\n(?:---|\.\.\.)[ \t]*(?:\n|$)/.exec(text.slice(0, FRONT_MATTER_MAX_CHARACTERS));
  if (!end || !/^---[ \t]*\n/.test(text)) return text;
  const fields = await fieldsIn(text.slice(text.indexOf('\n'), end.index));
  if (!fields) return text;
  const rest = text.slice(end.index + end[0].length).trimStart();
  const title = rest.startsWith('# ') ? '' : lineOf(fields['title']);
  return [title && `# ${title}`, lineOf(fields['description']), rest].filter(Boolean).join('\n\n');
}

/** Undefined for anything but named fields, such as a text between two rules. */
async function fieldsIn(yaml: string): Promise<Record<string, unknown> | undefined> {
  const { parse } = await import('yaml');
  try {
    const fields: unknown = parse(yaml, { logLevel: 'error' });
    return typeof fields === 'object' && !Array.isArray(fields) && fields !== null
      ? (fields as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

function lineOf(field: unknown): string {
  return typeof field === 'string' || typeof field === 'number'
    ? String(field).replace(/\s+/g, ' ').trim()
    : '';
}
