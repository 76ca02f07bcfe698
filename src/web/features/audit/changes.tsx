import type { AuditEntry } from '../../../contract/audit.ts';
import { formatExactTime } from '../../format.ts';
import { t } from '../../messages/t.ts';
import style from './audit.module.css';

/** What an entry changed, field by field: before and after. */
export function Changes({ entry: { action, before, after, createdAt, targetId } }: { entry: AuditEntry }) {
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return (
    <div className={style['detail']}>
      <p className={style['facts']}>
        {formatExactTime(createdAt)} · {action}
        {targetId && ` · ${targetId}`}
      </p>
      {fields.length === 0 && <p className={style['facts']}>{t('audit.noFields')}</p>}
      <dl className={style['changes']}>
        {fields.map((field) => (
          <div key={field}>
            <dt>{field}</dt>
            <dd>
              {field in before && (
                <del aria-label={t('audit.before')} className={style['before']}>
                  {textOf(before[field])}
                </del>
              )}
              {field in after && (
                <ins aria-label={t('audit.after')} className={style['after']}>
                  {textOf(after[field])}
                </ins>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
