/** A table of rows. On a narrow screen its texts wrap. */
import type { ReactNode } from 'react';

export interface Column<Row> {
  /** Also the column's key. */
  head: string;
  cell: (row: Row) => ReactNode;
  /** Digits below one another, at the end of the column. */
  isNumber?: boolean;
}

export interface TableProps<Row> {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
}

export function Table<Row>({ label, columns, rows, keyOf }: TableProps<Row>) {
  return (
    <table aria-label={label} className="w-full text-left wrap-anywhere">
      <thead className="text-muted text-sm">
        <tr className="border-line border-b">
          {columns.map(({ head, isNumber }) => (
            <th key={head} scope="col" className={cellLook(isNumber)}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)} className="border-line border-b">
            {columns.map(({ head, cell, isNumber }) => (
              <td key={head} className={cellLook(isNumber)}>
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function cellLook(isNumber = false): string {
  return `px-2 py-3 font-normal first:pl-0 last:pr-0 ${isNumber ? 'text-right tabular-nums' : ''}`;
}
