import { IconPhoto } from '@tabler/icons-react';
import { LazyImage } from '../../ui/lazy-image.tsx';
import { t } from '../answer-text.ts';
import { imageAddress, linkAddress } from './address.ts';
import style from './markdown.module.css';

/**
 * A picture in a message. One from another host is not loaded, because requesting it would reveal the reader and the
 * data in its address to that host: a placeholder names the host, and a click opens the picture in a new tab.
 */
export function Picture({ href, text }: { href: string; text: string }) {
  const own = imageAddress(href, location.origin);
  if (own) return <LazyImage kind="flowing" src={own} alt={text} />;
  const address = linkAddress(href);
  if (!address) return <>{t('chat.image', { text: text || href })}</>;
  const { host } = new URL(address);
  return (
    <a
      className={style['picture']}
      href={address}
      title={t('chat.imageWhy')}
      target="_blank"
      rel="noopener noreferrer nofollow"
    >
      <IconPhoto size="1.25em" aria-hidden />
      <span>{t('chat.imageFrom', { text: text || t('chat.imageNameless'), host: host || address })}</span>
    </a>
  );
}
