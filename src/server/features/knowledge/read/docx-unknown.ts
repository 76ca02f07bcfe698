/** A tag of a field, of a word with its pronunciation, or of a formula; what an attribute says may hold `>`. */
const TAG = /<(\/?)(w:fldSimple|w:ruby|w:rubyBase|m:[A-Za-z]+)((?:\s(?:[^<>"'/]|"[^"<]*"|'[^'<]*')*)?)>/g;

/** What the library reads the inside of, without making anything of it. */
const GROUP = 'w:smartTag';
/** Of a formula in one line: what stands before and after a part of it. */
const around: Readonly<Record<string, [string, string]>> = {
  sup: ['^(', ')'],
  sub: ['_(', ')'],
  num: ['(', ')'],
  den: ['/(', ')'],
  rad: ['√(', ')'],
  d: ['(', ')'],
  mr: ['', '; '],
};

/**
 * A part of a Word document in which the library finds what it would drop with all that stands there: results of simple fields,
 * words whose pronunciation is written above them, and formulas, in one line.
 */
export function withoutUnknown(xml: string): string {
  return xml.replace(TAG, (tag: string, slash: string, name: string, attributes: string) => {
    if (!name.startsWith('m:')) return `<${slash}${GROUP}>`;
    const part = name.slice(2);
    if (part === 't') return `<${slash}w:t${attributes}>`;
    if (part === 'r') return `<${slash}w:r>`;
    // Of what it looks like nothing is read.
    if (part.endsWith('Pr')) return tag;
    const [before, after] = around[part] ?? ['', ''];
    return slash ? `${run(after)}</${GROUP}>` : `<${GROUP}>${run(before)}`;
  });
}

function run(text: string): string {
  return text && `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`;
}
