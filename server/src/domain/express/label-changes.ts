import { oneRow, sql } from '#platform/db/db.ts';
import type { Work } from '#platform/db/db.ts';

/**
 * A change of one of these fields makes the carrier sort the parcel again and changes its label.
 */
export const sortingFields: readonly string[] = [
  'receive_province',
  'receive_city',
  'receive_county',
  'receive_address',
  'promise_id',
  'package_count',
];

/**
 * Fields that are printed on the label. After a change of one of them, a printed label is wrong.
 */
const labelFields: readonly string[] = [
  ...sortingFields,
  'receive_name',
  'receive_phone',
  'guarantee_value_amount',
  'remark',
];

export interface LabelChanges {
  /** True if the carrier has changed the label data since the print. */
  changed: boolean;
  /**
   * True if a change of the printed data has no answer yet, or has got an unclear answer since the
   * label was printed.
   */
  changing: boolean;
}

/** The changes of a parcel since its label was printed. */
export const labelChanges = (work: Work, express_id: number, since: Date): Promise<LabelChanges> =>
  oneRow(
    work,
    sql<LabelChanges>`select
      coalesce(bool_or(x.status = 'done' and x.settled_at >= ${since}), false) as changed,
      coalesce(bool_or(x.status = 'pending'
        or (x.status = 'unclear' and x.settled_at >= ${since})), false) as changing
      from express_edits x where x.express_id = ${express_id}
        and x.changes ?| ${labelFields}::text[]`,
  );
