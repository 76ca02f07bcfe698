import type { ReactNode } from 'react';
import { Avatar } from './avatar.tsx';
import style from './person.module.css';

interface PersonProps {
  name: string;
  photo: string;
  /** Below the name: usually an address. */
  detail?: ReactNode;
  /** The name if it isn't plain text: a link. */
  title?: ReactNode;
  round?: boolean;
}

/** Photo, name and one line about a person or thing. */
export function Person({ name, photo, detail, title, round = true }: PersonProps) {
  return (
    <span className={style['person']}>
      <Avatar round={round} name={name} photo={photo} />
      <span className={style['text']}>
        <span className={style['name']}>{title ?? name}</span>
        {detail && <span className={style['detail']}>{detail}</span>}
      </span>
    </span>
  );
}
