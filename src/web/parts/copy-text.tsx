import { Button, type ButtonProps } from '@mantine/core';
import { t } from '../messages/t.ts';
import { useCopy } from '../hooks/use-copy.ts';

interface CopyTextProps extends Pick<ButtonProps, 'size' | 'variant'> {
  text: string;
  /** What is copied by it: a verb. */
  label: string;
  /** Of several such buttons on a page, which one it is. */
  name?: string;
  onCopied?: () => void;
}

/** Takes a text into the clipboard and says so on the button. */
export function CopyText({ text, label, name, onCopied, variant = 'default', size }: CopyTextProps) {
  const [copied, copy] = useCopy(onCopied);
  return (
    <Button
      variant={variant}
      {...(size && { size })}
      aria-label={name && (copied ? t('settings.copied') : name)}
      onClick={() => void copy(text)}
    >
      {copied ? t('settings.copied') : label}
    </Button>
  );
}
