import { attachableKinds } from '../../contract/file-kinds.ts';
import { ATTACHMENT_MAX_BYTES, ATTACHMENTS_A_MESSAGE_MAX } from '../../contract/limits.ts';
import { formatBytes } from '../format.ts';
import { t } from './text.ts';

/** For the browser's file picker. */
export const ACCEPTED = attachableKinds.join(',');

/** Why a file can't be attached, in words; null if it can. The server checks again. */
export function objectionTo(file: File, countBefore: number): string | null {
  const kind = /\.\w+$/.exec(file.name)?.[0].toLowerCase() ?? '';
  if (!attachableKinds.includes(kind)) return t('chat.fileKind', { name: file.name });
  if (file.size > ATTACHMENT_MAX_BYTES)
    return t('chat.fileTooLarge', { name: file.name, size: formatBytes(ATTACHMENT_MAX_BYTES) });
  if (file.size === 0) return t('chat.fileEmpty', { name: file.name });
  if (countBefore >= ATTACHMENTS_A_MESSAGE_MAX)
    return t('chat.fileTooMany', { name: file.name, count: ATTACHMENTS_A_MESSAGE_MAX });
  return null;
}
