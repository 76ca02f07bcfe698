import style from './how-far.module.css';

interface HowFarProps {
  /** What is on its way, for screen readers. */
  label: string;
  value: number;
  /** Not known yet while it is 0. */
  max: number;
}

/** How far something has come. */
export function HowFar({ label, value, max }: HowFarProps) {
  const known = max > 0 ? { value, max } : {};
  return <progress className={style['bar']} aria-label={label} {...known} />;
}
