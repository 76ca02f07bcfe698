import type { ReactNode } from 'react';
import type { More, View } from '../../queries/query-props.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { Notice } from '../../ui/notice.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { ShowMore } from '../../ui/show-more.tsx';
import style from './plugins.module.css';

interface LogSectionProps<Entry> {
  id: string;
  title: string;
  lead: string;
  list: View<Entry[]>;
  more: More;
  /** Shown instead of an empty table. */
  none: { icon: ReactNode; title: string; text: string };
  columns: string[];
  /** Header of the actions column; unset if there is none. */
  actions?: string | undefined;
  /** Renders an entry's row. */
  children: (entry: Entry) => ReactNode;
}

/** Events, newest first, page by page. */
export function LogSection<Entry>({
  id,
  title,
  lead,
  list,
  more,
  none,
  columns,
  actions,
  children,
}: LogSectionProps<Entry>) {
  return (
    <section className={style['part']} aria-labelledby={id}>
      <div>
        <h2 id={id} className={style['heading']}>
          {title}
        </h2>
        <p className={style['soft']}>{lead}</p>
      </div>
      <QueryView {...list}>
        {(entries) =>
          entries.length === 0 ? (
            <Notice {...none} />
          ) : (
            <div className={style['part']}>
              <DataTable label={title} columns={columns} {...(actions && { actions })}>
                {entries.map(children)}
              </DataTable>
              <ShowMore {...more} />
            </div>
          )
        }
      </QueryView>
    </section>
  );
}
