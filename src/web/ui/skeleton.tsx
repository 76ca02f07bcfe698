import { t } from '../messages/t.ts';
import { Hidden } from './hidden.tsx';
import style from './skeleton.module.css';

/** `card`: cards side by side. `form`: one as wide as a form. */
export type SkeletonShape = 'line' | 'row' | 'card' | 'form';

interface SkeletonProps {
  shape: SkeletonShape;
  count?: number;
  /** With a title above, while the whole page loads. */
  titled?: boolean;
}

/** Has the size of what replaces it, to avoid layout shift. */
export function Skeleton({ shape, count = shape === 'form' ? 1 : 3, titled = false }: SkeletonProps) {
  return (
    <div role="status">
      <Hidden>{t('ui.loading')}</Hidden>
      {titled && <div className={`${style['bone']} ${style['title']}`} />}
      <div className={style[shape === 'card' ? 'cards' : 'stack']} aria-hidden>
        {Array.from({ length: count }, (_, index) => (
          <div key={index} className={`${style['bone']} ${style[shape]}`} />
        ))}
      </div>
    </div>
  );
}
