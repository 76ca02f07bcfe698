import type { ReactNode } from 'react';
import { describeError } from '../../query-client.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { Notice } from '../../ui/notice.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { ShowMore } from '../../ui/show-more.tsx';
import style from './plugins.module.css';

/** As much of a query with pages as a log needs. */
interface Pages {
  error: unknown;
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  refetch: () => unknown;
  fetchNextPage: () => unknown;
}

interface LogSectionProps<Entry> {
  id: string;
  title: string;
  lead: string;
  pages: Pages;
  /** Undefined until the first page is there. */
  entries: Entry[] | undefined;
  /** In place of an empty table. */
  none: { icon: ReactNode; title: string; text: string };
  columns: string[];
  /** Of the column of what can be done; unset where there is none. */
  actions?: string | undefined;
  /** Its row. */
  children: (entry: Entry) => ReactNode;
}

/** What has happened, newest first, page by page. */
export function LogSection<Entry>({
  id,
  title,
  lead,
  pages,
  entries,
  none,
  columns,
  actions,
  children,
}: LogSectionProps<Entry>) {
  const error = pages.error ? describeError(pages.error) : null;
  return (
    <section className={style['part']} aria-labelledby={id}>
      <div>
        <h2 id={id} className={style['heading']}>
          {title}
        </h2>
        <p className={style['soft']}>{lead}</p>
      </div>
      <QueryView data={entries} error={error} onRetry={() => void pages.refetch()}>
        {(list) =>
          list.length === 0 ? (
            <Notice {...none} />
          ) : (
            <div className={style['part']}>
              <DataTable label={title} columns={columns} {...(actions && { actions })}>
                {list.map(children)}
              </DataTable>
              <ShowMore
                isMore={pages.hasNextPage}
                busy={pages.isFetchingNextPage}
                onMore={() => void pages.fetchNextPage()}
              />
            </div>
          )
        }
      </QueryView>
    </section>
  );
}
