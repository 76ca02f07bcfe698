import { ACCEPTED } from './attachable.ts';

/** Referenced here, or it could be garbage-collected before the choice is made. */
let field: HTMLInputElement;

/** Opens the browser's file picker. */
export function chooseFiles(multiple: boolean, onChoose: (files: Iterable<File>) => void): void {
  const input = document.createElement('input');
  field = Object.assign(input, { type: 'file', multiple, accept: ACCEPTED });
  field.addEventListener('change', () => onChoose([...(input.files ?? [])]));
  field.click();
}
