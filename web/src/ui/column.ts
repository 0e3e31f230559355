import type { ReactNode } from 'react';

export interface Column<R> {
  key: string;
  title: string;
  /** Pixels, the least for one that grows. */
  width: number;
  grow?: boolean;
  align?: 'end' | 'center';
  /** The server's name of the column, where the list can be sorted by it. */
  sort?: string;
  /** Stays in sight: the first at the start, the last at the end. */
  pin?: 'start' | 'end';
  cell: (row: R) => ReactNode;
}
