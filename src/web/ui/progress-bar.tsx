import { useEffect, useState } from 'react';
import style from './progress-bar.module.css';

/** Fast responses show no bar, so that it doesn't flicker. */
const DELAY_MS = 150;

/** The line at the top of the page while requests are in progress. */
export function ProgressBar({ active }: { active: boolean }) {
  const [shown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(active), active ? DELAY_MS : 0);
    return () => clearTimeout(timer);
  }, [active]);
  return shown ? <div className={style['bar']} aria-hidden /> : null;
}
