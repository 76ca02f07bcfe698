import { t } from '../../messages/t.ts';
import { sessionState } from '../../session/session.ts';
import { useStore } from '../../store.ts';
import { Avatar } from '../../ui/avatar.tsx';
import style from './inbox.module.css';
import { present } from './use-presence.ts';

/** Which other members are viewing this conversation now, and which of them are writing. */
export function PresentMembers() {
  const { user } = useStore(sessionState);
  const others = useStore(present).filter(({ id }) => id !== user?.uid);
  return (
    <ul className={style['present']} aria-label={t('inbox.alsoHere')} aria-live="polite">
      {others.map(({ id, name, profilePhoto, isWriting }) => (
        <li key={id}>
          <Avatar name={name} photo={profilePhoto} round />
          {t(isWriting ? 'inbox.writes' : 'inbox.looks', { name })}
        </li>
      ))}
    </ul>
  );
}
