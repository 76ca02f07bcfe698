import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { t } from '../messages/t.ts';
import { useTrail } from './trail.ts';
import style from './breadcrumbs.module.css';

/** The path to a nested page; on phones only its next step up. Only the last step is the current page. */
export function Breadcrumbs() {
  const trail = useTrail();
  const here = trail.at(-1);
  const before = trail.slice(0, -1);
  if (!here || before.length === 0) return null;
  return (
    <nav className={style['trail']} aria-label={t('nav.trail')}>
      <ol>
        {before.map(({ to, title }, index) => (
          <li key={to} className={style['before']} data-next={index === before.length - 1}>
            <IconChevronLeft className={style['back']} size="1em" aria-hidden />
            <Link to={to} params search={{}} activeOptions={{ exact: true }}>
              {title}
            </Link>
            <IconChevronRight className={style['between']} size="1em" aria-hidden />
          </li>
        ))}
        <li className={style['here']}>
          <span aria-current="page">{here.title}</span>
        </li>
      </ol>
    </nav>
  );
}
