import type { RowOf } from '#platform/db/db.ts';
import { sql } from '#platform/db/db.ts';
import { columnNames } from '#platform/db/schema.ts';

type ExpressColumn = keyof RowOf<'expresses'>;

const all: readonly ExpressColumn[] = columnNames.expresses.all;
const names: ReadonlySet<string> = new Set(all);
/** Whether a parcel has a column of this name. */
export const isExpressColumn = (name: string): name is ExpressColumn => names.has(name);

const jsonNames: ReadonlySet<string> = new Set(columnNames.expresses.json);
/** True if a column of a parcel has the type jsonb, which is written as text. */
export const isJsonColumn = (name: string): boolean => jsonNames.has(name);

/**
 * All columns of a parcel as text for a statement; `alias` is the table's alias in the statement. A
 * statement that names its columns is prepared on its connection (platform/db/prepared.ts). A
 * statement with `*` is parsed and planned each time, which costs more than running it. The list is
 * one text, because Kysely would compile a node for each column in each statement.
 */
export const expressColumnList = (alias?: string) =>
  sql.raw(
    all.map((column) => (alias === undefined ? `"${column}"` : `${alias}."${column}"`)).join(', '),
  );
