import type { ReactNode } from 'react';
import style from './data-table.module.css';
import { Hidden } from './hidden.tsx';

interface DataTableProps {
  /** What is listed, for screen readers. */
  label: string;
  columns: readonly string[];
  /** What the last column holds, where it holds buttons; it has no visible heading. */
  actions?: string;
  /** The rows: `tr` with a cell for each column. */
  children: ReactNode;
}

/** A table that becomes a list of cards where there is little room: on phones, and beside bars and panels on larger screens. */
export function DataTable({ label, columns, actions, children }: DataTableProps) {
  return (
    <div className={style['frame']}>
      <table className={style['table']} aria-label={label}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
            {actions && (
              <th scope="col">
                <Hidden>{actions}</Hidden>
              </th>
            )}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

interface CellProps {
  /** `main`: what the row is about. `faint`: less weight. `name`: the same, of a person. `actions`: the row's buttons. */
  kind?: 'main' | 'faint' | 'name' | 'actions';
  /** Said before the content in a list, where there is no heading. */
  label?: string;
  children?: ReactNode;
}

export function Cell({ kind, label, children }: CellProps) {
  return (
    <td className={kind && style[kind]} data-label={label}>
      {children}
    </td>
  );
}
