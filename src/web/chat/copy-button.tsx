import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useCopy } from '../hooks/use-copy.ts';
import { IconButton } from './icon-button.tsx';
import { t } from './answer-text.ts';
import style from './markdown/markdown.module.css';

const SHOWN = `:scope > .${style['markdown']}`;

interface CopyButtonProps {
  text: string;
  label: string;
  /** The text is that of the answer around it, which is copied formatted as well. */
  isAnswer?: boolean;
}

export function CopyButton({ text, label, isAnswer }: CopyButtonProps) {
  const [copied, copy] = useCopy();
  return (
    <IconButton
      icon={copied ? IconCheck : IconCopy}
      label={label}
      aria-label={copied ? t('chat.copied') : label}
      onClick={({ currentTarget }) =>
        void copy(text, isAnswer && currentTarget.closest('[data-message]')?.querySelector(SHOWN))
      }
    />
  );
}
