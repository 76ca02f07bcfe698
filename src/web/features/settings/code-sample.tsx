import { Code } from '@mantine/core';
import { CopyText } from '../../parts/copy-text.tsx';
import { t } from '../../messages/t.ts';
import style from './share.module.css';

interface CodeSampleProps {
  /** Its label for people who can't see the heading it is under. */
  name: string;
  code: string;
  copyLabel?: string;
  onCopied?: () => void;
}

/** Code to copy. */
export function CodeSample({ name, code, copyLabel, onCopied }: CodeSampleProps) {
  const label = copyLabel ?? t('share.copySample');
  return (
    <div className={style['sample']}>
      <Code block tabIndex={0} role="region" aria-label={name}>
        {code}
      </Code>
      <CopyText
        text={code}
        label={label}
        {...(!copyLabel && { name: `${label}: ${name}` })}
        {...(onCopied && { onCopied })}
      />
    </div>
  );
}
