import { IconPhoto } from '@tabler/icons-react';
import { LazyImage } from '../../ui/lazy-image.tsx';
import { t } from '../answer-text.ts';
import { imageAddress, linkAddress } from './address.ts';
import style from './markdown.module.css';

/**
 * A picture in a message. One of another host is not loaded, because asking for it would tell that host who reads and what
 * its address carries: its place names the host, and a click opens it beside the page.
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
