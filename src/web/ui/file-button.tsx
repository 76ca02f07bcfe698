import { FileButton as MantineFileButton, type FileButtonProps } from '@mantine/core';
import type { MouseEvent } from 'react';

/** Opens the dialog in which a file is chosen. One that is chosen once more counts once more: it was mended, or could not be sent. */
export function FileButton({ inputProps, ...props }: FileButtonProps) {
  return <MantineFileButton {...props} inputProps={{ ...inputProps, onClick: forget }} />;
}

/** Of the same file as before a browser says that nothing has changed. */
function forget({ currentTarget }: MouseEvent<HTMLInputElement>): void {
  currentTarget.value = '';
}
