import { Avatar } from '../ui/avatar.tsx';
import style from './dressed.module.css';

interface MarkProps {
  agent: { name: string; profilePhoto: string; appearance: { logo: string | null } };
}

/** The agent's logo, otherwise its photo; always next to the name. */
export function Mark({ agent: { name, profilePhoto, appearance } }: MarkProps) {
  const { logo } = appearance;
  if (logo === null) return <Avatar name={name} photo={profilePhoto} />;
  return <img className={style['logo']} src={logo} alt="" />;
}
