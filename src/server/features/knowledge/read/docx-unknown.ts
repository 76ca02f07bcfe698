/** A tag of a field, of a word with its pronunciation, or of a formula; attribute values may contain `>`. */
const TAG = /<(\/?)(w:fldSimple|w:ruby|w:rubyBase|m:[A-Za-z]+)((?:\s(?:[^<>"'/]|"[^"<]*"|'[^'<]*')*)?)>/g;

/** An element that the library passes through, reading only its content. */
const GROUP = 'w:smartTag';
/** For a formula in one line: the text before and after one of its parts. */
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
 * A part of a Word document rewritten so that the library keeps what it would otherwise drop with all its content:
 * results of simple fields, words with ruby annotations, and formulas, in one line.
 */
export function withoutUnknown(xml: string): string {
  return xml.replace(TAG, (tag: string, slash: string, name: string, attributes: string) => {
    if (!name.startsWith('m:')) return `<${slash}${GROUP}>`;
    const part = name.slice(2);
    if (part === 't') return `<${slash}w:t${attributes}>`;
    if (part === 'r') return `<${slash}w:r>`;
    // Properties, which describe appearance, aren't read.
    if (part.endsWith('Pr')) return tag;
    const [before, after] = around[part] ?? ['', ''];
    return slash ? `${run(after)}</${GROUP}>` : `<${GROUP}>${run(before)}`;
  });
}

function run(text: string): string {
  return text && `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`;
}
