/** Makes a field as high as its text; the style sheet sets the limit. */
export function fit(field: HTMLTextAreaElement): void {
  field.style.height = 'auto';
  field.style.height = `${field.scrollHeight}px`;
}
