import type { Citation } from '../../../contract/chat.ts';
import { linkAddress } from '../../chat/markdown/address.ts';
import { Markdown } from '../../chat/markdown/markdown.tsx';
import { t } from '../../messages/t.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import style from './voicemail.module.css';

/** The passage a citation in an answer refers to. */
export function PassageDialog({ citation, onClose }: { citation: Citation; onClose: () => void }) {
  const { title, headingPath, text, url } = citation;
  const place = headingPath.filter((heading) => heading !== title).join(' › ');
  const address = url === null ? null : linkAddress(url);
  return (
    <Dialog title={title} onClose={onClose}>
      {place && <p className={style['hint']}>{place}</p>}
      <blockquote className={style['passage']} tabIndex={0}>
        <Markdown text={text} />
      </blockquote>
      {address && (
        <a className={buttonClass('plain')} href={address} target="_blank" rel="noopener noreferrer nofollow">
          {t('voicemail.openPage')}
        </a>
      )}
    </Dialog>
  );
}
