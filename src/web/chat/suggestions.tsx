import { IconCornerDownRight } from '@tabler/icons-react';
import { useParts } from './conversation-context.ts';
import style from './conversation.module.css';
import { t } from './answer-text.ts';

/** Suggested follow-up questions to the last answer; a click asks one. */
export function Suggestions({ texts }: { texts: readonly string[] }) {
  const { ask } = useParts();
  if (texts.length === 0) return null;
  return (
    <ul className={style['suggestions']} aria-label={t('chat.suggestions')}>
      {texts.map((text) => (
        <li key={text}>
          <button type="button" onClick={() => ask(text)}>
            <IconCornerDownRight size="1.15em" aria-hidden />
            <span dir="auto">{text}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
