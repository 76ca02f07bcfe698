/**
 * Writes into a field what is said, more of it each time, where writing had come to when speaking began. What is typed meanwhile stays, and so
 * does the place where it is typed; what was changed of what had been said is not written over.
 */
export function saidInto(field: HTMLTextAreaElement): (said: string) => void {
  let head = field.value;
  let written = '';
  let heard = '';
  /** How much of what is said is its writer's own by now. */
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
