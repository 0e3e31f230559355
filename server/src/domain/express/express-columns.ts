import type { RowOf } from '#platform/db/db.ts';
import { sql } from '#platform/db/db.ts';
import { columnNames } from '#platform/db/schema.ts';

type ExpressColumn = keyof RowOf<'expresses'>;

const all: readonly ExpressColumn[] = columnNames.expresses.all;
const names: ReadonlySet<string> = new Set(all);
/** Whether a parcel has a column of this name. */
export const isExpressColumn = (name: string): name is ExpressColumn => names.has(name);

const jsonNames: ReadonlySet<string> = new Set(columnNames.expresses.json);
/** Whether a column of a parcel holds jsonb, which is written as text. */
export const isJsonColumn = (name: string): boolean => jsonNames.has(name);

/**
 * All columns of a parcel for a statement; `alias`: of the table in it. A statement that names its
 * columns is prepared on its connection (platform/db/prepared.ts); one with `*` is parsed and
 * planned each time, which costs more than running it. One text, because a node for each column
 * would be compiled with each statement.
 */
export const expressColumnList = (alias?: string) =>
  sql.raw(
    all.map((column) => (alias === undefined ? `"${column}"` : `${alias}."${column}"`)).join(', '),
  );
