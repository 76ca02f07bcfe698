/** As a ref: the field that a form begins with has the focus when the form appears. */
export function focusFirst(field: HTMLInputElement | null): void {
  field?.focus();
}
