import { ACCEPTED } from './attachable.ts';

/** Kept, or it could be gone before the choice is made. */
let field: HTMLInputElement;

/** By the browser's own choice of files. */
export function chooseFiles(multiple: boolean, onChoose: (files: Iterable<File>) => void): void {
  const input = document.createElement('input');
  field = Object.assign(input, { type: 'file', multiple, accept: ACCEPTED });
  field.addEventListener('change', () => onChoose([...(input.files ?? [])]));
  field.click();
}
