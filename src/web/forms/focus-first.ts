/** As a ref: the field that a form begins with has the focus when the form appears, or what takes the place of a form after it. */
export function focusFirst(field: HTMLElement | null): void {
  field?.focus();
}
