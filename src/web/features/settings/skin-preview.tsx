import { SegmentedControl } from '@mantine/core';
import { IconMessageCircle } from '@tabler/icons-react';
import { useId, useState, type ReactNode } from 'react';
import type { Appearance } from '../../../contract/appearance.ts';
import type { Chatbot } from '../../../contract/chatbot.ts';
import { Conversation } from '../../chat/conversation.tsx';
import { Dressed } from '../../chat/dressed.tsx';
import { Mark } from '../../chat/mark.tsx';
import { readableOn } from '../../../contract/contrast.ts';
import { t } from '../../messages/t.ts';
import { useStore } from '../../store.ts';
import { scheme as shownScheme } from '../../theme.ts';
import { sampleConversation, unbegun } from './sample-conversation.ts';
import style from './skins.module.css';

type Scheme = 'light' | 'dark';

interface SkinPreviewProps {
  agent: Chatbot;
  /** The look being edited. */
  appearance: Appearance;
}

/** The conversation itself as a page and as a widget, in the look being edited. For viewing only: nothing in it is usable. */
export function SkinPreview({ agent, appearance }: SkinPreviewProps) {
  const current = useStore(shownScheme);
  const [asked, setAsked] = useState<Scheme | null>(null);
  const [sample] = useState(sampleConversation);
  const scheme = appearance.scheme === 'system' ? (asked ?? current) : appearance.scheme;
  const shown = { ...agent, appearance: { ...appearance, scheme } };
  return (
    <section className={style['preview']}>
      <header className={style['previewHead']}>
        <h2 className={style['heading']}>{t('looks.preview')}</h2>
        <SegmentedControl
          aria-label={t('looks.previewIn')}
          disabled={appearance.scheme !== 'system'}
          data={(['light', 'dark'] as const).map((value) => ({ value, label: t(`looks.${value}`) }))}
          value={scheme}
          onChange={(value) => setAsked(value)}
        />
      </header>
      <div className={style['frames']} tabIndex={0} role="group" aria-label={t('looks.preview')}>
        <Shown agent={shown} title={t('looks.previewPage')}>
          <Conversation agent={shown} transport={sample} describeError={String} />
        </Shown>
        <Shown agent={shown} title={t('looks.previewWidget')} launcher={appearance.position}>
          <Conversation agent={shown} transport={unbegun} describeError={String} />
        </Shown>
      </div>
    </section>
  );
}

interface ShownProps {
  agent: Chatbot;
  title: string;
  /** The corner of the button that opens it. */
  launcher?: Appearance['position'];
  children: ReactNode;
}

function Shown({ agent, title, launcher, children }: ShownProps) {
  const id = useId();
  const { accent, radius, scheme: colorScheme } = agent.appearance;
  return (
    <figure className={style['figure']} aria-labelledby={id}>
      <figcaption id={id} className={style['caption']}>
        {title}
      </figcaption>
      <div className={style['stage']} data-launcher={launcher} style={{ colorScheme }} inert>
        <div className={style['panel']} style={{ borderRadius: launcher && radius }}>
          <Dressed appearance={agent.appearance}>
            <div className={style['head']}>
              <Mark agent={agent} />
              <span className={style['name']}>{agent.name}</span>
            </div>
            {children}
          </Dressed>
        </div>
        {launcher && (
          <span className={style['launcher']} style={{ background: accent, color: readableOn(accent) }}>
            <IconMessageCircle />
          </span>
        )}
      </div>
    </figure>
  );
}
