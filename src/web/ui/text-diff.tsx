import { diffWordsWithSpace } from 'diff';
import style from './text-diff.module.css';

/** Two texts as one, with deletions struck out and insertions marked. */
export function TextDiff({ before, after }: { before: string; after: string }) {
  return (
    <div className={style['diff']}>
      {diffWordsWithSpace(before, after).map(({ value, added, removed }, index) => {
        if (added) return <ins key={index}>{value}</ins>;
        if (removed) return <del key={index}>{value}</del>;
        return <span key={index}>{value}</span>;
      })}
    </div>
  );
}
