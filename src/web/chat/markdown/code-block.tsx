import { Suspense } from 'react';
import { CopyButton } from '../copy-button.tsx';
import { lazily } from '../../ui/later.ts';
import { t } from '../answer-text.ts';
import type { CodeProps } from './highlighted-code.tsx';
import style from './markdown.module.css';

const HighlightedCode = lazily<CodeProps>(
  async () => (await import('./highlighted-code.tsx')).HighlightedCode,
  ({ code }) => code,
);

export function CodeBlock({ code, language }: CodeProps) {
  const name = /^[\w+#.-]{1,24}/.exec(language)?.[0];
  return (
    <figure className={style['code']}>
      <figcaption>
        <span>{name}</span>
        <CopyButton text={code} label={t('chat.copyCode')} />
      </figcaption>
      {/* It scrolls sideways, so keyboards must reach it. */}
      <pre tabIndex={0}>
        <code>
          {name ? (
            <Suspense fallback={code}>
              <HighlightedCode code={code} language={name.toLowerCase()} />
            </Suspense>
          ) : (
            code
          )}
        </code>
      </pre>
    </figure>
  );
}
