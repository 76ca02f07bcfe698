import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { t } from './text.ts';
import style from './conversation.module.css';

const SHOWN_MS = 1500;

export function CopyButton({ text, label }: { text: string; label: string }) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = () =>
    void navigator.clipboard?.writeText(text).then(
      () => setCopied(true),
      () => undefined,
    );
  const Icon = copied ? IconCheck : IconCopy;
  return (
    <button
      type="button"
      className={style['tool']}
      aria-label={copied ? t('chat.copied') : label}
      title={label}
      onClick={copy}
    >
      <Icon size="1.15em" aria-hidden />
    </button>
  );
}
