import type { ReactNode } from 'react';
import style from './data-table.module.css';
import { Hidden } from './hidden.tsx';

interface DataTableProps {
  /** The table's label for screen readers. */
  label: string;
  columns: readonly string[];
  /** A label for the last column if it contains buttons; it has no visible heading. */
  actions?: string;
  /** The rows: `tr` with a cell per column. */
  children: ReactNode;
}

/** A table that becomes a list of cards in tight spaces: on phones, and beside bars and panels on larger screens. */
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
  /** `main`: what the row is about. `faint`: less emphasis. `name`: the same, for a person. `actions`: the row's buttons. */
  kind?: 'main' | 'faint' | 'name' | 'actions';
  /** Shown before the content in a list, which has no headings. */
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
