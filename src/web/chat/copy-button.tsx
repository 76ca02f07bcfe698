import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useCopy } from '../hooks/use-copy.ts';
import { IconButton } from './icon-button.tsx';
import { t } from './answer-text.ts';

export function CopyButton({ text, label }: { text: string; label: string }) {
  const [copied, copy] = useCopy();
  return (
    <IconButton
      icon={copied ? IconCheck : IconCopy}
      label={label}
      aria-label={copied ? t('chat.copied') : label}
      onClick={() => void copy(text)}
    />
  );
}
