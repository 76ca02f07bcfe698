import style from './how-far.module.css';

interface HowFarProps {
  /** What is in progress, for screen readers. */
  label: string;
  value: number;
  /** Unknown while it is 0. */
  max: number;
}

/** A progress bar. */
export function HowFar({ label, value, max }: HowFarProps) {
  const known = max > 0 ? { value, max } : {};
  return <progress className={style['bar']} aria-label={label} {...known} />;
}
