import { CopyButton } from '../copy-button.tsx';
import { t } from '../text.ts';
import style from './markdown.module.css';

export function CodeBlock({ code, language }: { code: string; language: string }) {
  return (
    <figure className={style['code']}>
      <figcaption>
        <span>{/^[\w+#.-]{1,24}/.exec(language)?.[0]}</span>
        <CopyButton text={code} label={t('chat.copyCode')} />
      </figcaption>
      {/* It scrolls sideways, so keyboards must reach it. */}
      <pre tabIndex={0}>
        <code>{code}</code>
      </pre>
    </figure>
  );
}
