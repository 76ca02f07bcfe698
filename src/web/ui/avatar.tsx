import { useState } from 'react';
import { guest } from '../../contract/guest.ts';
import style from './avatar.module.css';
import { LazyImage } from './lazy-image.tsx';

interface AvatarProps {
  name: string;
  /** The photo's address; if empty or broken, the first letter is shown. */
  photo: string;
  /** Round for people. */
  round?: boolean;
}

/** Always beside the name, so screen readers skip it. */
export function Avatar({ name, photo, round = false }: AvatarProps) {
  const [broken, setBroken] = useState<string | null>(null);
  const className = `${style['avatar']} ${round ? style['round'] : ''}`;
  // The picture shared by all guests says less than the name a guest has given.
  const isForAll = photo === guest.profilePhoto && name !== guest.name;
  if (photo && photo !== broken && !isForAll)
    return (
      <LazyImage
        key={photo}
        kind="photo"
        className={className}
        src={photo}
        alt=""
        onBroken={() => setBroken(photo)}
      />
    );
  const letter = /\S/u.exec(name)?.[0].toUpperCase();
  return (
    <span className={className} aria-hidden>
      {letter}
    </span>
  );
}
