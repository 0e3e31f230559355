import type { ReactNode } from 'react';

interface ColumnSum<R> {
  /** The title of the sum. It is needed if the title of the column does not describe the sum. */
  title?: string;
  of: (row: R) => number | null | undefined;
  /** Writes the sum as text, with its unit. */
  show: (sum: number) => string;
  /**
   * The server's sum over all rows that match the filters. Null if it is not known yet or not
   * calculated.
   */
  every?: number | null;
}

export interface Column<R> {
  key: string;
  title: string;
  /** The width in pixels. If the column grows, this is its minimum width. */
  width: number;
  grow?: boolean;
  align?: 'end' | 'center';
  /**
   * Returns the amount in fen that the cell of a row shows. The column is made as wide as the
   * widest amount, so that no amount is clipped.
   */
  fen?: (row: R) => number | null | undefined;
  /**
   * Returns the text that the cell of a row shows. The column is widened before other columns until
   * no text is cut off.
   */
  text?: (row: R) => string;
  /** The width in pixels of other content beside the text of the cell. */
  besideText?: number;
  /** The width in pixels of the column's longest text, calculated from the rows. */
  wants?: number;
  /** The share of the remaining room that the column gets if it grows. The default is its width. */
  share?: number;
  /** The width in pixels of other content beside the amount in the cell. */
  besideFen?: number;
  /**
   * The sum of this column over the selected rows. It is shown beside the number of selected rows.
   */
  sum?: ColumnSum<R>;
  /** The name by which the server sorts the list by this column; absent if it cannot. */
  sort?: string;
  /** The side at which the column stays visible when the table is scrolled sideways. */
  pin?: 'start' | 'end';
  /**
   * True if the column cannot be hidden. Without it, the row would lose its name or its actions.
   */
  fixed?: boolean;
  /**
   * True if the column is hidden until a user selects it in the column settings, because there is
   * no room for every column.
   */
  aside?: boolean;
  /** Changes the width of the column. Absent if the user may not change the width. */
  resize?: (width: number) => void;
  /**
   * The fields that the column exports. If absent, the column exports the field with its own key,
   * or no field if it contains buttons.
   */
  exports?: readonly { key: string; title: string }[];
  cell: (row: R) => ReactNode;
}
