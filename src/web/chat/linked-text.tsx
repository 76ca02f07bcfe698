import style from './conversation.module.css';
import { linkAddress } from './markdown/address.ts';

/** An address, without the punctuation of the sentence around it. */
const ADDRESS = /(https?:\/\/[^\s<>"]*(?:\([^\s<>"()]*\)|[^\s<>"'.,;:!?()[\]{}]))/;

/** A person's words as they wrote them; addresses among them can be opened. */
export function LinkedText({ text }: { text: string }) {
  return text.split(ADDRESS).map((part, place) => {
    const address = place % 2 === 1 ? linkAddress(part) : null;
    if (address === null) return part;
    return (
      <a
        key={place}
        className={style['address']}
        href={address}
        target="_blank"
        rel="noopener noreferrer nofollow"
      >
        {part}
      </a>
    );
  });
}
