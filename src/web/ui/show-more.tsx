import { t } from '../messages/t.ts';
import { PlainButton } from './button.tsx';

interface ShowMoreProps {
  /** False at the end of the list: then there is no button. */
  isMore: boolean;
  busy?: boolean;
  onMore: () => void;
}

/** Loads the next part of a list. */
export function ShowMore({ isMore, busy = false, onMore }: ShowMoreProps) {
  if (!isMore) return null;
  return (
    <div>
      <PlainButton disabled={busy} onClick={onMore}>
        {t('chats.more')}
      </PlainButton>
    </div>
  );
}
