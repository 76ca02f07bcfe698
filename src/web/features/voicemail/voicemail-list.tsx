import { IconMicrophone } from '@tabler/icons-react';
import { t } from '../../messages/t.ts';
import { moreOf, viewOf } from '../../queries/query-props.ts';
import { sessionState } from '../../session/session.ts';
import { useStore } from '../../store.ts';
import { Notice } from '../../ui/notice.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { ShowMore } from '../../ui/show-more.tsx';
import { useVoicemails } from './use-voicemail.ts';
import { Voicemail } from './voicemail.tsx';
import style from './voicemail.module.css';

interface VoicemailListProps {
  openId: string | null;
  onOpen: (id: string | null) => void;
}

/** The messages left so far, newest first. */
export function VoicemailList({ openId, onOpen }: VoicemailListProps) {
  const { status } = useStore(sessionState);
  const voicemails = useVoicemails();
  return (
    <section className={style['section']} aria-label={t('voicemail.list')}>
      {status === 'signed-out' ? (
        <NoneYet />
      ) : (
        <QueryView {...viewOf(voicemails)}>
          {({ pages }) => {
            const list = pages.flatMap(({ conversations }) => conversations);
            if (list.length === 0) return <NoneYet />;
            return (
              <ul className={style['list']}>
                {list.map((conversation) => (
                  <Voicemail
                    key={conversation.id}
                    conversation={conversation}
                    isOpen={conversation.id === openId}
                    onToggle={() => onOpen(conversation.id === openId ? null : conversation.id)}
                  />
                ))}
              </ul>
            );
          }}
        </QueryView>
      )}
      <ShowMore {...moreOf(voicemails)} />
    </section>
  );
}

function NoneYet() {
  return (
    <Notice
      icon={<IconMicrophone size="1.25em" aria-hidden />}
      title={t('voicemail.none')}
      text={t('voicemail.noneText')}
    />
  );
}
