import { IconPlayerPlay } from '@tabler/icons-react';
import type { Attachment } from '../../../contract/chat.ts';
import { formatBytes } from '../../format.ts';
import { t } from '../../messages/t.ts';
import { PlainButton } from '../../ui/button.tsx';
import { useSound } from './use-voicemail.ts';
import style from './voicemail.module.css';

interface SoundProps {
  conversationId: string;
  attachment: Attachment;
}

/** A ref for the player, which replaces the button that requested it: called once, so that a rerender leaves focus alone. */
const takeFocus = (player: HTMLAudioElement | null): void => player?.focus();

/** A recording, loaded when somebody wants to hear it. */
export function Sound({ conversationId, attachment }: SoundProps) {
  const sound = useSound(conversationId, attachment.id);
  if (sound.data !== undefined) {
    return (
      <audio
        ref={takeFocus}
        className={style['audio']}
        controls
        autoPlay
        src={sound.data}
        aria-label={t('voicemail.recording')}
      />
    );
  }
  return (
    <PlainButton disabled={sound.isFetching} onClick={() => void sound.refetch()}>
      <IconPlayerPlay size="1.15em" aria-hidden /> {t('voicemail.listen')} ({formatBytes(attachment.bytes)})
    </PlainButton>
  );
}
