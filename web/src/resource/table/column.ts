import type { ReactNode } from 'react';

interface ColumnSum<R> {
  /** In place of the column's title, where that is no name of the sum. */
  title?: string;
  of: (row: R) => number | null | undefined;
  /** The sum in words, with its unit. */
  show: (sum: number) => string;
  /** That of all that the filters match, as the server added it up; null while it has not, and where it does not. */
  every?: number | null;
}

export interface Column<R> {
  key: string;
  title: string;
  /** Pixels, the least for one that grows. */
  width: number;
  grow?: boolean;
  align?: 'end' | 'center';
  /** The sum in fen that its cell shows: the column is as wide as the widest of them, whatever its width says, so that no sum is ever cut. */
  fen?: (row: R) => number | null | undefined;
  /** Pixels of what is beside the amount in its cell. */
  besideFen?: number;
  /** Added up over the chosen rows, beside how many they are. */
  sum?: ColumnSum<R>;
  /** The server's name of the column, where the list can be sorted by it. */
  sort?: string;
  /** Stays in sight: the first at the start, the last at the end. */
  pin?: 'start' | 'end';
  /** Cannot be hidden: the row would have no name, or nothing could be done with it. */
  fixed?: boolean;
  /** Not drawn until a person asks for it in the column settings: there is no room for everything. */
  aside?: boolean;
  /** Makes it wider or narrower; set where a person may. */
  resize?: (width: number) => void;
  /** The fields it exports, if they differ from its key; none for a column of buttons. */
  exports?: readonly { key: string; title: string }[];
  cell: (row: R) => ReactNode;
}
