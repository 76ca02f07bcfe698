import { IconClockHour4 } from '@tabler/icons-react';
import type { Conversation } from '../../../contract/chat.ts';
import { t } from '../../messages/t.ts';
import style from './chat.module.css';
import './messages.ts';

/** `version`: the agent's version being tried here. */
export function TemporaryNotice({ version = null }: { version?: Conversation['version'] }) {
  return (
    <p className={style['temporary']} role="status">
      <IconClockHour4 size="1.15em" aria-hidden />
      {version !== null && `${versionSaid(version)} `}
      {t('chats.temporaryText')}
    </p>
  );
}

function versionSaid(version: number | 'draft'): string {
  return version === 'draft' ? t('chats.draftText') : t('chats.versionText', { version });
}
