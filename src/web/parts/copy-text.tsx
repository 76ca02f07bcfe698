import { Button, type ButtonProps } from '@mantine/core';
import { t } from '../messages/t.ts';
import { useCopy } from '../hooks/use-copy.ts';

interface CopyTextProps extends Pick<ButtonProps, 'size' | 'variant'> {
  text: string;
  /** The button's label: a verb. */
  label: string;
  /** Tells apart several such buttons on a page. */
  name?: string;
  onCopied?: () => void;
}

/** Copies a text to the clipboard and confirms it on the button. */
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
