import { erasedName } from '@waystation/contract/parcels/erased.ts';
import { jsonText, sql } from '#platform/db/db.ts';
import type { Work } from '#platform/db/db.ts';
import { addCounts, scope } from './erase-step.ts';
import type { ErasureRow, Step } from './erase-step.ts';
import {
  blanked,
  digitsOf,
  personTexts,
  phoneSeparators,
  textsOf,
  withoutFilters,
} from './person-texts.ts';
import { foundBy, wholePhoneOf } from './personal-data.ts';

interface Judge {
  /**
   * True if the text is exactly the name, or contains the phone. If other people share the phone,
   * the text must also contain the name.
   */
  isPersons: (text: string) => boolean;
  /** Like `isPersons`, but the name alone does not count, because it may mean something else. */
  isPhone: (text: string) => boolean;
  /**
   * True if the text contains a name or the phone. It is used for texts about the person's parcels.
   */
  isNear: (text: string) => boolean;
}

const judgeOf = async (work: Work, { phone, names }: ErasureRow): Promise<Judge> => {
  const { hasName, hasPhone, isName } = personTexts({ phone: phone ?? '', names });
  const others = await foundBy(work, wholePhoneOf(phone ?? ''), undefined);
  const isShared = others === null || others.some(({ name }) => !names.includes(name));
  const isPhone = (text: string): boolean => hasPhone(text) && (!isShared || hasName(text));
  return {
    isPhone,
    isPersons: (text) => isName(text) || isPhone(text),
    isNear: (text) => hasName(text) || hasPhone(text),
  };
};

/** The condition for rows whose JSON column may contain a text of the person among its values. */
const near = (column: string, { phone, names }: ErasureRow) =>
  sql`exists (select 1 from jsonb_path_query(${sql.ref(column)}, 'strict $.**') t
    where jsonb_typeof(t) = 'string' and (btrim(t #>> '{}') = any(${names}::text[])
      or position(${digitsOf(phone ?? '')} in translate(t #>> '{}', ${phoneSeparators}, '')) > 0))`;

/** Blanks filters and titles of saved views. */
const blankViews = async (work: Work, row: ErasureRow, { isPersons }: Judge): Promise<number> => {
  const { rows } = await sql<{ id: number; title: string; search: Record<string, unknown> }>`
    select id, title, search from saved_views where ${near('search', row)}
      or (select ${near('j', row)} from to_jsonb(title) j) for update`.execute(work.tx);
  let count = 0;
  for (const { id, title, search } of rows) {
    const left = withoutFilters(search, isPersons);
    const isTitled = isPersons(title);
    if (!isTitled && Object.keys(left).length === Object.keys(search).length) continue;
    // The titles of an account's views must be unique, so the id is added.
    await sql`update saved_views set search = ${jsonText(left)}::jsonb,
        title = ${isTitled ? `${erasedName} ${id}` : title}, version = version + 1
      where id = ${id}`.execute(work.tx);
    count += 1;
  }
  return count;
};

interface Documents {
  table: 'preferences' | 'inbox_entries' | 'alerts' | 'user_jobs';
  column: string;
  /** The SQL expression for the key of a row. */
  key: ReturnType<typeof sql>;
  which?: ReturnType<typeof sql>;
  isTheirs: (text: string) => boolean;
}

/** Blanks the person's texts in JSON values. The rows are kept. */
const blankDocuments = async (
  work: Work,
  row: ErasureRow,
  { table, column, key, which = sql`true`, isTheirs }: Documents,
): Promise<number> => {
  const { rows } = await sql<{ key: string; value: unknown }>`
    select ${key} as key, ${sql.ref(column)} as value from ${sql.table(table)}
    where ${which} for update`.execute(work.tx);
  const theirs = rows.filter(({ value }) => textsOf(value).some(isTheirs));
  for (const one of theirs)
    await sql`update ${sql.table(table)}
      set ${sql.ref(column)} = ${jsonText(blanked(one.value, isTheirs))}::jsonb
      where ${key} = ${one.key}`.execute(work.tx);
  return theirs.length;
};

/**
 * Blanks texts of views, preferences, inboxes, alerts and ended jobs, and removes no row. A job
 * that has not ended needs its texts, so the erasure waits for its end.
 */
export const eraseTexts: Step = ({ db }, row) =>
  db.tx(scope, async (work) => {
    const judge = await judgeOf(work, row);
    const { isNear, isPersons, isPhone } = judge;
    const parcels = sql`any(${[...row.senders, ...row.receivers]}::bigint[])`;
    const id = sql`id::text`;
    await addCounts(work, row.id, { views: await blankViews(work, row, judge) });
    for (const one of [
      {
        table: 'preferences',
        column: 'value',
        key: sql`account_id || ' ' || name`,
        which: near('value', row),
        isTheirs: isPhone,
      },
      {
        table: 'inbox_entries',
        column: 'data',
        key: id,
        which: near('data', row),
        isTheirs: isPhone,
      },
      {
        table: 'alerts',
        column: 'params',
        key: id,
        which: sql`express_id is null and ${near('params', row)}`,
        isTheirs: isPhone,
      },
      {
        table: 'alerts',
        column: 'params',
        key: id,
        which: sql`express_id = ${parcels}
          and (select e.erased > 0 from expresses e where e.id = express_id)`,
        isTheirs: isNear,
      },
      {
        table: 'user_jobs',
        column: 'params',
        key: id,
        which: sql`status in ('done', 'failed') and ${near('params', row)}`,
        isTheirs: isPersons,
      },
    ] satisfies Documents[])
      await blankDocuments(work, row, one);
    const { rows } = await sql<{ params: unknown }>`select params from user_jobs
      where status not in ('done', 'failed') and ${near('params', row)}`.execute(work.tx);
    if (rows.some(({ params }) => textsOf(params).some(isPersons)))
      return 'A job that has the person runs';
    return undefined;
  });
