import type { Tokens } from 'marked';
import type { TokenProps } from './block.tsx';
import { Inline } from './inline.tsx';
import style from './markdown.module.css';

/** Text longer than this wraps onto several lines, which need some width. */
const LINE_CHARACTERS = 24;

type TableProps = Omit<TokenProps, 'token'> & {
  table: Tokens.Table;
  dir: string | undefined;
};

export function Table({ table, dir, ...inner }: TableProps) {
  return (
    <div className={style['table']} dir={dir} tabIndex={0} role="group">
      <table>
        <thead>
          <tr>
            {table.header.map((cell, index) => (
              <th
                key={index}
                scope="col"
                data-align={cell.align}
                data-long={cell.text.length > LINE_CHARACTERS || undefined}
              >
                <Inline tokens={cell.tokens} {...inner} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row, index) => (
            <tr key={index}>
              {row.map((cell, place) => (
                <td
                  key={place}
                  data-align={cell.align}
                  data-long={cell.text.length > LINE_CHARACTERS || undefined}
                >
                  <Inline tokens={cell.tokens} {...inner} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
