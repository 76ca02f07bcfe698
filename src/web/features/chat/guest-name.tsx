import { guest } from '../../../contract/guest.ts';
import { USER_NAME_MAX_CHARACTERS } from '../../../contract/limits.ts';
import { api } from '../../api/api.ts';
import { t } from '../../messages/t.ts';
import { adoptSession, refreshSession, sessionState } from '../../session/session.ts';
import './messages.ts';

interface GuestNameProps {
  value: string;
  onChange: (name: string) => void;
}

/** Asks for the name under which the others in a room see a guest. */
export function GuestName({ value, onChange }: GuestNameProps) {
  return (
    <label>
      {t('chats.yourName')}
      <input
        autoComplete="name"
        maxLength={USER_NAME_MAX_CHARACTERS}
        placeholder={guest.name}
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    </label>
  );
}

/** Empty: they have not chosen one. */
export const chosenName = (user: { name: string } | null) =>
  user && user.name !== guest.name ? user.name : '';

/** In this room and everywhere from now on: it is their profile name. */
export async function goBy(name: string): Promise<void> {
  const { user } = sessionState.get();
  if (!user || name === '' || name === user.name) return;
  await api.user.updateProfile({ uid: user.uid, name });
  adoptSession(await refreshSession());
}
