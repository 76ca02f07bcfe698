/** Makes a field as high as its text; the style sheet sets the limit. A hidden field has no height to measure. */
export function fit(field: HTMLTextAreaElement): void {
  field.style.height = 'auto';
  if (field.scrollHeight > 0) field.style.height = `${field.scrollHeight}px`;
}
