/**
 * Inserts growing speech text into a field, after the text that was there when speaking began. Text typed meanwhile
 * stays, as does the caret; speech text that was edited is not overwritten.
 */
export function saidInto(field: HTMLTextAreaElement): (said: string) => void {
  let head = field.value;
  let written = '';
  let heard = '';
  /** How much of the speech text the writer has made their own. */
  let from = 0;
  return (said) => {
    const { value, selectionEnd } = field;
    let start = value.startsWith(head + written) ? head.length : value.lastIndexOf(written);
    if (start < 0) {
      start = value.length;
      written = '';
      from = heard.length;
    }
    heard = said;
    head = value.slice(0, start);
    const end = start + written.length;
    const more = said.slice(from).trim();
    const before = /\S$/.test(head) ? ' ' : '';
    const after = /^\S/.test(value.slice(end)) ? ' ' : '';
    written = more && before + more + after;
    field.setRangeText(written, start, end, selectionEnd === end ? 'end' : 'preserve');
    // As if it were typed.
    field.dispatchEvent(new Event('input', { bubbles: true }));
  };
}
