/** As a ref: focuses a form's first field when the form appears, or what replaces a form afterwards. */
export function focusFirst(field: HTMLElement | null): void {
  field?.focus();
}
