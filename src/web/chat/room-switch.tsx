import style from './composer.module.css';
import { t } from './answer-text.ts';

export interface RoomSwitchProps {
  host: string;
  toHost: boolean;
  onChange: (toHost: boolean) => void;
}

/** In a room: whether a message is a question to the host or for everyone. */
export function RoomSwitch({ host, toHost, onChange }: RoomSwitchProps) {
  return (
    <fieldset className={style['switch']}>
      <legend>{t('chat.talkTo')}</legend>
      {[false, true].map((choice) => (
        <label key={String(choice)}>
          <input type="radio" name="talk-to" checked={toHost === choice} onChange={() => onChange(choice)} />
          {choice ? t('chat.toHost', { host }) : t('chat.toAll')}
        </label>
      ))}
    </fieldset>
  );
}
