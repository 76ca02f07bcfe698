interface NewFile {
  name: string;
  /** Media type. */
  type: string;
  content: string | Blob;
}

/** Lets the browser save this as a file. */
export function download({ name, type, content }: NewFile): void {
  // Without the mark, Excel takes a CSV for the system's old encoding and mangles letters beyond ASCII.
  const parts = type === 'text/csv' ? ['\ufeff', content] : [content];
  const address = URL.createObjectURL(new Blob(parts, { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 0);
}
