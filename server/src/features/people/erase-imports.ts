import type { ImportValues } from '@waystation/contract/imports/import.ts';
import { erasedName } from '@waystation/contract/parcels/erased.ts';
import { jsonText, sql } from '#platform/db/db.ts';
import type { Work } from '#platform/db/db.ts';
import { addCounts, scope } from './erase-step.ts';
import type { ErasureRow, Step } from './erase-step.ts';
import { digitsOf, personTexts, phoneSeparators, textsOf } from './person-texts.ts';
import type { PersonInTexts } from './person-texts.ts';

const ended = ['done', 'cancelled', 'failed'] as const;

/** The name and phone of a side; null if one of them is unknown. */
const sideOf = (values: ImportValues, side: 'sender' | 'receive'): [string, string] | null => {
  const [name, phone] = [values[`${side}_name`]?.trim(), values[`${side}_phone`]];
  return name && phone ? [name, phone] : null;
};

interface SheetRow {
  cells: unknown;
  values: ImportValues;
}

const isPersonsSide = (person: PersonInTexts, [name, phone]: [string, string]): boolean => {
  const { hasPhone, isName } = personTexts(person);
  return isName(name) && hasPhone(phone);
};

/**
 * True if the person is the row's sender or recipient. If neither is known, the cells decide: one
 * cell is the name and another contains the phone, or one cell contains both.
 */
export const isPersonsRow = (person: PersonInTexts, { cells, values }: SheetRow): boolean => {
  const { hasPhone, hasName, isName } = personTexts(person);
  const sides = [sideOf(values, 'sender'), sideOf(values, 'receive')].filter(
    (side) => side !== null,
  );
  if (sides.length > 0) return sides.some((side) => isPersonsSide(person, side));
  const texts = textsOf(cells);
  return (
    (texts.some(isName) && texts.some(hasPhone)) ||
    texts.some((text) => hasName(text) && hasPhone(text))
  );
};

/** Returns the numbers of an import's rows that contain the person and have no parcel. */
const personsRows = async (
  work: Work,
  import_id: number,
  person: PersonInTexts,
): Promise<number[]> => {
  const { rows } = await sql<SheetRow & { no: number }>`select r.no, r.cells, r."values"
    from import_rows r where r.import_id = ${import_id} and r.express_id is null
      and position(${digitsOf(person.phone)}
        in translate(r.cells::text || r."values"::text, ${phoneSeparators}, '')) > 0
    order by r.no`.execute(work.tx);
  return rows.filter((row) => isPersonsRow(person, row)).map(({ no }) => no);
};

/** The numbers of the import rows that became one of the parcels and are not blanked yet. */
const parcelRows = async (
  work: Work,
  import_id: number,
  parcels: readonly number[],
): Promise<number[]> => {
  const { rows } = await sql<{ no: number }>`select r.no from import_rows r
    where r.import_id = ${import_id} and r.express_id = any(${[...parcels]}::bigint[])
      and (r."values" <> '{}' or exists (select 1 from jsonb_array_elements_text(r.cells) c
        where c <> ''))`.execute(work.tx);
  return rows.map(({ no }) => no);
};

/**
 * The first import that has not ended and contains the person, because its rows may still become
 * parcels.
 */
export const openImportOf = async (
  work: Work,
  person: PersonInTexts,
  parcels: readonly number[],
): Promise<number | null> => {
  const { rows } = await sql<{ id: number }>`select id from imports
    where status <> all(${[...ended]}::text[]) order by id`.execute(work.tx);
  for (const { id } of rows)
    if (
      (await personsRows(work, id, person)).length > 0 ||
      (await parcelRows(work, id, parcels)).length > 0
    )
      return id;
  return null;
};

/** The defaults of an import without the sender or recipient fields that contain the person. */
const blankDefaults = (person: PersonInTexts, defaults: ImportValues): ImportValues => {
  const sides = (['sender', 'receive'] as const).filter((side) => {
    const known = sideOf(defaults, side);
    return known && isPersonsSide(person, known);
  });
  return Object.fromEntries(
    Object.entries(defaults).filter(([field]) =>
      sides.every((side) => !field.startsWith(`${side}_`)),
    ),
  );
};

/**
 * Replaces a file name that contains the phone, or that contains the person's name if the file is
 * about the person (`isTheirs`).
 */
const blankFileName = (person: PersonInTexts, file_name: string, isTheirs: boolean): string => {
  const { hasName, hasPhone } = personTexts(person);
  const [, stem = file_name, extension = ''] = /^(.*?)(\.[^.]*)?$/s.exec(file_name) ?? [];
  return hasPhone(stem) || (isTheirs && hasName(stem)) ? `${erasedName}${extension}` : file_name;
};

/** Blanks rows of an import that has ended, and the stored file of that import. */
const blankRows = async (
  work: Work,
  { id }: ErasureRow,
  { import_id, rows }: { import_id: number; rows: readonly number[] },
): Promise<void> => {
  const which = sql`import_id = ${import_id} and no = any(${[...rows]}::int[])`;
  await sql`update import_rows r
    set cells = (select coalesce(jsonb_agg(''::text), '[]') from jsonb_array_elements(r.cells)),
      edits = '{}', "values" = '{}', fields = null, problems = '[]', key = null,
      reason = case when r.reason ? 'params' then jsonb_set(r.reason, '{params}',
        coalesce((select jsonb_object_agg(p.key, case when jsonb_typeof(p.value) = 'string'
          then '""' else p.value end) from jsonb_each(r.reason -> 'params') p), '{}'))
        else r.reason end
    where ${which}`.execute(work.tx);
  await sql`delete from import_step_rows where ${which}`.execute(work.tx);
  await sql`update import_files set content = '', head = null
    where import_id = ${import_id}`.execute(work.tx);
  await sql`update imports set columns = (select coalesce(jsonb_agg(c || '{"samples": []}'), '[]')
      from jsonb_array_elements(columns) c)
    where id = ${import_id}`.execute(work.tx);
  await addCounts(work, id, { import_rows: rows.length });
};

interface Looked {
  file_name: string;
  defaults: ImportValues;
  is_ended: boolean;
}

/**
 * Erases the person from one import. Returns false if the import has not ended, and then leaves it
 * unchanged.
 */
const eraseImport = async (
  work: Work,
  row: ErasureRow,
  { import_id, parcels }: { import_id: number; parcels: readonly number[] },
): Promise<boolean> => {
  const person = { phone: row.phone ?? '', names: row.names };
  const {
    rows: [found],
  } = await sql<Looked>`select file_name, defaults,
      status = any(${[...ended]}::text[]) as is_ended
    from imports where id = ${import_id} for update`.execute(work.tx);
  if (!found) return true;
  const rows = [
    ...(await personsRows(work, import_id, person)),
    ...(await parcelRows(work, import_id, parcels)),
  ];
  const file_name = blankFileName(person, found.file_name, rows.length > 0);
  const defaults = blankDefaults(person, found.defaults);
  const isAsIs =
    file_name === found.file_name &&
    Object.keys(defaults).length === Object.keys(found.defaults).length;
  if (rows.length === 0 && isAsIs) return true;
  if (!found.is_ended) return false;
  await sql`update imports set file_name = ${file_name}, defaults = ${jsonText(defaults)}::jsonb
    where id = ${import_id}`.execute(work.tx);
  if (rows.length > 0) await blankRows(work, row, { import_id, rows });
  return true;
};

/**
 * Blanks the person in the defaults of stored mappings, which later imports with the same columns
 * use.
 */
const eraseMappings: Step = ({ db }, { phone, names }) =>
  db.tx(scope, async (work) => {
    const person = { phone: phone ?? '', names };
    const { rows } = await sql<{
      station_id: number;
      fingerprint: string;
      defaults: ImportValues;
    }>`select station_id, fingerprint, defaults from import_mappings
      where position(${digitsOf(person.phone)}
        in translate(defaults::text, ${phoneSeparators}, '')) > 0 for update`.execute(work.tx);
    for (const { station_id, fingerprint, defaults } of rows) {
      const left = blankDefaults(person, defaults);
      await sql`update import_mappings set defaults = ${jsonText(left)}::jsonb
        where station_id = ${station_id} and fingerprint = ${fingerprint}`.execute(work.tx);
    }
  });

/**
 * Blanks import rows of erased parcels and the person's rows without a parcel, in one transaction
 * per import. Also blanks file names and defaults. Waits for an import that has not ended, because
 * blanked rows could not be ordered.
 */
export const eraseImports: Step = async (app, row) => {
  const { db } = app;
  const { rows: imports } = await db.tx(scope, (work) =>
    sql<{ id: number }>`select id from imports order by id`.execute(work.tx),
  );
  const { rows: erased } = await db.tx(scope, (work) =>
    sql<{ id: number }>`select id from expresses where erased > 0
      and id = any(${[...row.senders, ...row.receivers]}::bigint[])`.execute(work.tx),
  );
  const parcels = erased.map(({ id }) => id);
  let open: number | undefined;
  for (const { id } of imports) {
    const isDone = await db.tx(scope, (work) => eraseImport(work, row, { import_id: id, parcels }));
    if (!isDone) open ??= id;
  }
  await eraseMappings(app, row);
  return open === undefined ? undefined : `Import ${open} has the person and has not ended`;
};
