import { FileButton as MantineFileButton, type FileButtonProps } from '@mantine/core';
import type { MouseEvent } from 'react';

/** Opens the file picker. Choosing the same file again counts again: it was fixed, or could not be sent. */
export function FileButton({ inputProps, ...props }: FileButtonProps) {
  return <MantineFileButton {...props} inputProps={{ ...inputProps, onClick: forget }} />;
}

/** For the same file as before, a browser reports no change. */
function forget({ currentTarget }: MouseEvent<HTMLInputElement>): void {
  currentTarget.value = '';
}
