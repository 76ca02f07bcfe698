interface NewFile {
  name: string;
  /** Media type. */
  type: string;
  content: string | Blob;
}

/** Lets the browser save this as a file. */
export function download({ name, type, content }: NewFile): void {
  const address = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 0);
}
