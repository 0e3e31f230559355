import { sql } from '#platform/db/db.ts';
import type { RawBuilder, ReaderWork } from '#platform/db/db.ts';
import { scopeCondition } from '#platform/db/scope.ts';

/** The table of an event's subject. */
export type Subject = 'expresses' | 'statements' | 'stations' | 'imports' | 'webhooks';

const subjects: Readonly<Record<string, Subject>> = {
  parcel: 'expresses',
  statement: 'statements',
  request: 'statements',
  balance: 'stations',
  month: 'stations',
  import: 'imports',
  webhook: 'webhooks',
};

/** The table of the subject for a kind of event. */
export const subjectOf = (kind: string): Subject => subjects[kind.split('.', 1)[0]!]!;

/** The same as `subjectOf`, but as SQL. */
export const sqlSubjectOf = (kind: RawBuilder<unknown>): RawBuilder<Subject> =>
  sql<Subject>`case split_part(${kind}, '.', 1) ${sql.join(
    Object.entries(subjects).map(
      ([start, subject]) => sql`when ${sql.lit(start)} then ${sql.lit(subject)}`,
    ),
    sql` `,
  )} end`;

/**
 * The columns of each kind of subject that are sent. No column contains the name, phone or address
 * of a person. A receiver reads these personal data with an API key (docs/decisions/0152).
 */
const forms: Readonly<
  Record<
    Exclude<Subject, 'webhooks'>,
    { name: string; path: (id: number) => string; columns: string }
  >
> = {
  expresses: {
    name: 'parcel',
    path: (id) => `/api/arco/expresses/${id}`,
    columns: `id station_id order_id delivery_id return_delivery_id thr_order_id state_code exception
      weight re_weight cal_weight pre_amount post_amount print_count ordered_at picked_up_at signed_at
      created_at updated_at`,
  },
  statements: {
    name: 'statement',
    path: (id) => `/api/arco/statements/${id}/journal`,
    columns: `id station_id type status express_id delivery_id amount freeze_amount available balance
      period created_at posted_at`,
  },
  stations: {
    name: 'station',
    path: (id) => `/api/arco/stations/${id}`,
    columns: 'id name available updated_at',
  },
  imports: {
    name: 'import',
    path: (id) => `/api/arco/imports/${id}`,
    columns: 'id station_id status rows_total counts created_at updated_at finished_at',
  },
};

export interface Shown {
  /** The current station of the subject. */
  station_id: number;
  name: string;
  path: string;
  /** The row with the fields that are sent. */
  row: Record<string, unknown>;
}

/** The subject of an event; null if it does not exist or is not in the scope of the work. */
export const shownSubject = async (
  work: ReaderWork,
  subject: Exclude<Subject, 'webhooks'>,
  id: number,
): Promise<Shown | null> => {
  const { name, path, columns } = forms[subject];
  const station = subject === 'stations' ? 'id' : 'station_id';
  const { rows } = await sql<Record<string, unknown> & { place: number }>`select
      ${sql.join(columns.split(/\s+/).map((column) => sql.ref(`r.${column}`)))},
      ${sql.ref(`r.${station}`)} as place
    from ${sql.table(subject)} r
    where r.id = ${id} and ${scopeCondition(work, `r.${station}`)}`.execute(work.tx);
  const [found] = rows;
  if (!found) return null;
  const { place, ...row } = found;
  return { station_id: place, name, path: path(id), row };
};
