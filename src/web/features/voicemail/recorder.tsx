import { Button } from '@mantine/core';
import { IconMicrophone, IconPlayerStopFilled, IconSend } from '@tabler/icons-react';
import { useEffect, useMemo, useRef, type ReactNode, type RefObject } from 'react';
import { RECORDING_MAX_SECONDS } from '../../../contract/limits.ts';
import { t } from '../../messages/t.ts';
import { Callout } from '../../ui/callout.tsx';
import { Hidden } from '../../ui/hidden.tsx';
import { UnsavedGuard } from '../../forms/unsaved-guard.tsx';
import { useOnce } from '../../hooks/use-once.ts';
import { clock } from './clock.ts';
import { isFault, useRecorder, type RecorderState } from './use-recorder.ts';
import style from './voicemail.module.css';

interface RecorderProps {
  /** The key under which a recording is kept while the session is away. */
  place: string;
  /** The start button's label. */
  label: string;
  /** Resolves when the recording is stored; until then it is kept here. */
  onSend: (recording: Blob) => Promise<unknown>;
  /** Includes one from before the page was left. */
  sending: boolean;
  disabled?: boolean;
  /** Called when there is, or is no longer, a recording that hasn't been stored: the component must stay that long. */
  onHold?: (isHeld: boolean) => void;
}

/** Records a message, plays it back, and sends or discards it. */
export function Recorder({ place, label, onSend, sending, disabled = false, onHold }: RecorderProps) {
  const recorder = useRecorder(place);
  const { state, made, start, finish, discard } = recorder;
  const next = useFocusOfNext(state);
  const isHeld = state === 'recording' || state === 'done';
  useEffect(() => onHold?.(isHeld), [isHeld, onHold]);
  const send = useOnce((recording: Blob) => onSend(recording).then(discard));
  return (
    <div className={style['recorder']}>
      <UnsentGuard isUnsent={!sending && isHeld} sending={sending} onLeave={discard} />
      {state === 'recording' && (
        <UnderWay {...recorder} stopButton={next} onFinish={finish} onDrop={discard} />
      )}
      {state === 'done' && made && (
        <Made recording={made} player={next}>
          <Button
            leftSection={<IconSend size="1.15em" aria-hidden />}
            loading={sending}
            disabled={disabled}
            onClick={() => send(made)}
          >
            {t('voicemail.send')}
          </Button>
          <Button variant="default" disabled={sending} onClick={start}>
            {t('voicemail.again')}
          </Button>
          <Button variant="subtle" disabled={sending} onClick={discard}>
            {t('voicemail.discard')}
          </Button>
        </Made>
      )}
      {!isHeld && (
        <Button
          ref={next as RefObject<HTMLButtonElement | null>}
          leftSection={<IconMicrophone size="1.15em" aria-hidden />}
          loading={state === 'asking'}
          disabled={disabled}
          onClick={start}
        >
          {label}
        </Button>
      )}
      {isFault(state) && <Callout tone="bad">{t(`voicemail.${state}`)}</Callout>}
      <div className={style['status']} role="status">
        <Hidden>{(state === 'recording' || state === 'done') && t(`voicemail.is-${state}`)}</Hidden>
      </div>
    </div>
  );
}

interface UnsentGuardProps {
  isUnsent: boolean;
  sending: boolean;
  onLeave: () => void;
}

/** Asks before a recording is lost by leaving the page. */
function UnsentGuard({ isUnsent, sending, onLeave }: UnsentGuardProps) {
  const [title, text] = [t('voicemail.leaveTitle'), t('voicemail.leaveText')];
  return <UnsavedGuard changed={isUnsent} saving={sending} title={title} text={text} onLeave={onLeave} />;
}

/** Focuses what replaces a button that is gone. */
function useFocusOfNext(state: RecorderState): RefObject<HTMLElement | null> {
  const next = useRef<HTMLElement>(null);
  const before = useRef(state);
  useEffect(() => {
    if (before.current !== state) next.current?.focus();
    before.current = state;
  }, [state]);
  return next;
}

interface UnderWayProps {
  seconds: number;
  level: number;
  stopButton: RefObject<HTMLElement | null>;
  onFinish: () => void;
  onDrop: () => void;
}

function UnderWay({ seconds, level, stopButton, onFinish, onDrop }: UnderWayProps) {
  return (
    <>
      <div className={style['live']}>
        <span className={style['time']} role="timer" aria-live="off">
          {clock(seconds)} / {clock(RECORDING_MAX_SECONDS)}
        </span>
        <span className={style['meter']} aria-hidden>
          <span className={style['level']} style={{ transform: `scaleX(${level})` }} />
        </span>
      </div>
      <div className={style['buttons']}>
        <Button
          ref={stopButton as RefObject<HTMLButtonElement | null>}
          color="danger"
          leftSection={<IconPlayerStopFilled size="1.15em" aria-hidden />}
          onClick={onFinish}
        >
          {t('voicemail.stop')}
        </Button>
        <Button variant="subtle" onClick={onDrop}>
          {t('voicemail.discard')}
        </Button>
      </div>
    </>
  );
}

interface MadeProps {
  recording: Blob;
  player: RefObject<HTMLElement | null>;
  children: ReactNode;
}

/** The recording, to listen to before sending. */
function Made({ recording, player, children }: MadeProps) {
  const address = useMemo(() => URL.createObjectURL(recording), [recording]);
  useEffect(() => () => URL.revokeObjectURL(address), [address]);
  return (
    <>
      <audio
        ref={player as RefObject<HTMLAudioElement | null>}
        className={style['audio']}
        controls
        src={address}
        aria-label={t('voicemail.recording')}
      />
      <div className={style['buttons']}>{children}</div>
    </>
  );
}
