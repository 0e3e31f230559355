import * as z from 'zod/mini';
import type { Erasure } from '@waystation/contract/people/erasure.ts';
import type { ErasurePlace } from '@waystation/contract/people/erasure.ts';
import { erasedName } from '@waystation/contract/parcels/erased.ts';
import { personalData } from '@waystation/contract/people/personal-data.ts';
import type { App } from '#app.ts';
import { recordSystemAudit } from '#platform/audit.ts';
import { jsonText, oneRow, sql } from '#platform/db/db.ts';
import type { RowOf, Work } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { task } from '#platform/jobs/task.ts';

/** Erases one person; may be interrupted and runs again from its beginning. */
export const erasePersonTask = task('erase_person', z.object({ erasure_id: z.int() }), {
  attempts: 12,
  keyBy: ['erasure_id'],
  queue: () => 'erasures',
  priority: 10,
});

type Counts = Erasure['counts'];
type Row = RowOf<'erasures'>;

const scope = systemScope('erasure of a person');
/** Parcels of a transaction; rows of a slice of the audit log and of pushes. */
const most = { parcels: 20, audit: 5_000, pushes: 2_000 };

/** Rows by place that an erasure blanks because of these parcels and contacts. */
export const countsOf = async (
  work: Work,
  { parcels, contacts }: { parcels: readonly number[]; contacts: readonly number[] },
): Promise<Counts> => {
  const ids = sql`any(${[...parcels]}::bigint[])`;
  return oneRow(
    work,
    sql<Record<ErasurePlace, number>>`select ${parcels.length}::int as parcels,
      (select count(*)::int from express_versions where express_id = ${ids}
        and salt is not null) as versions,
      (select count(*)::int from express_messages where express_id = ${ids}) as messages,
      (select count(*)::int from express_edits where express_id = ${ids}) as edits,
      (select count(*)::int from reconciliation_rows where express_id = ${ids}
        and (cells is not null or note <> '')) as bill_lines,
      (select count(*)::int from carrier_calls where express_id = ${ids}) as carrier_calls,
      ${contacts.length}::int as contacts,
      (select count(*)::int from import_rows where express_id = ${ids}) as import_rows,
      (select count(*)::int from audit_log where subject = 'expresses' and subject_id = ${ids}
        and changes <> '{}') + (select count(*)::int from audit_log where subject = 'contacts'
        and subject_id = any(${[...contacts]}::bigint[]) and changes <> '{}') as audit,
      (select count(*)::int from user_jobs where file_bytes is not null) as export_files`,
  );
};

/** Adds to the counts of an erasure, in the transaction that blanked the rows. */
const addCounts = async (work: Work, id: number, counts: Counts): Promise<void> => {
  await sql`select erasure_count(${id}, ${jsonText(counts)}::jsonb)`.execute(work.tx);
};

const erasure = (id: number) => sql`(select o from erasures o where o.id = ${id})`;

/** Blanks rows of imports and the files that they were read from. */
const blankImportRows = async (
  work: Work,
  id: number,
  which: ReturnType<typeof sql>,
): Promise<void> => {
  const { rows } = await sql<{ import_id: number; no: number }>`update import_rows r
    set cells = (select coalesce(jsonb_agg(''::text), '[]') from jsonb_array_elements(r.cells)),
      edits = '{}', "values" = '{}', fields = null, problems = '[]', key = null
    where ${which} and r."values" <> '{}' returning r.import_id, r.no`.execute(work.tx);
  if (rows.length === 0) return;
  const imports = [...new Set(rows.map(({ import_id }) => import_id))];
  await sql`delete from import_step_rows s using unnest(
      ${rows.map(({ import_id }) => import_id)}::bigint[], ${rows.map(({ no }) => no)}::int[])
      r (import_id, no) where s.import_id = r.import_id and s.no = r.no`.execute(work.tx);
  await sql`update import_files set content = '', head = null
    where import_id = any(${imports}::bigint[])`.execute(work.tx);
  await sql`update imports set columns = (select coalesce(jsonb_agg(c || '{"samples": []}'), '[]')
      from jsonb_array_elements(columns) c)
    where id = any(${imports}::bigint[])`.execute(work.tx);
  await addCounts(work, id, { import_rows: rows.length });
};

const eraseParcels = async ({ db }: App, { id, ...row }: Row): Promise<void> => {
  const { senders, receivers, names } = row;
  const parcels = [...new Set([...senders, ...receivers])];
  for (let at = 0; at < parcels.length; at += most.parcels)
    await db.tx(scope, async (work) => {
      const { rows } = await sql<{ id: number }>`select e.id from expresses e
        where e.id = any(${parcels.slice(at, at + most.parcels)}::bigint[])
          and ((e.id = any(${senders}::bigint[]) and e.sender_name = any(${names}::text[]))
            or (e.id = any(${receivers}::bigint[]) and e.receive_name = any(${names}::text[])))
        order by e.id`.execute(work.tx);
      const left = rows.map((one) => one.id);
      const {
        export_files: _,
        import_rows: __,
        ...counts
      } = await countsOf(work, {
        parcels: left,
        contacts: [],
      });
      await blankImportRows(work, id, sql`r.express_id = any(${left}::bigint[])`);
      await sql`select erase_parcel(${id}, p) from unnest(${left}::bigint[]) p`.execute(work.tx);
      await addCounts(work, id, counts);
    });
};

const eraseContacts = ({ db }: App, { id, names, contacts }: Row): Promise<void> =>
  db.tx(scope, async (work) => {
    const { rows } = await sql<{ id: number }>`update contacts set name = ${erasedName}, phone = '',
        province = '', city = '', county = '', address = '', status = 0, version = version + 1,
        updated_at = now()
      where id = any(${contacts}::bigint[]) and name = any(${names}::text[])
      returning id`.execute(work.tx);
    await sql`update user_job_items i set name = '' from user_jobs j where j.id = i.job_id
      and j.list = 'contacts' and i.subject_id = any(${contacts}::bigint[])`.execute(work.tx);
    await addCounts(work, id, { contacts: rows.length });
  });

/** Rows of imports that did not become parcels, an import a transaction. */
const eraseImports = async ({ db }: App, { id }: Row): Promise<void> => {
  const { rows } = await db.tx(scope, (work) =>
    sql<{ id: number }>`select id from imports order by id`.execute(work.tx),
  );
  for (const one of rows)
    await db.tx(scope, (work) =>
      blankImportRows(
        work,
        id,
        sql`r.import_id = ${one.id}
          and erasure_in_text(${erasure(id)}, r.cells::text || r."values"::text)`,
      ),
    );
};

const eraseAudit = async ({ db }: App, { id }: Row): Promise<void> => {
  let low: number | null = 0;
  while (low !== null) {
    const after: number = low;
    low = await db.tx(scope, async (work) => {
      const { last, blanked } = await oneRow(
        work,
        sql<{ last: number | null; blanked: number }>`select last, blanked
          from erase_audit(${id}, ${after}, ${most.audit})`,
      );
      await addCounts(work, id, { audit: blanked });
      return last;
    });
  }
};

/** Removes pushes that name the phone or a waybill of the parcels, once they were read. */
const erasePushes = async ({ db }: App, { id, senders, receivers }: Row): Promise<void> => {
  let low: number | null = 0;
  while (low !== null) {
    const after: number = low;
    low = await db.tx(scope, async (work) => {
      const { last, removed } = await oneRow(
        work,
        sql<{ last: number | null; removed: number }>`with slice as materialized (
            select p.id, p.body, p.outcome from carrier_pushes p where p.id > ${after}
              order by p.id limit ${most.pushes}),
          waybills as materialized (select string_agg(e.delivery_id, '|') as any_of
            from expresses e where e.id = any(${[...senders, ...receivers]}::bigint[])
              and e.delivery_id ~ '^[A-Za-z0-9-]+$'),
          gone as (delete from carrier_pushes p using slice s, waybills w, erasures o
            where p.id = s.id and o.id = ${id} and s.outcome <> 'received'
              and (s.body ~ w.any_of or position(regexp_replace(o.phone, '\\D', '', 'g')
                in translate(s.body, ' -', '')) > 0) returning p.id)
          select (select max(id) from slice) as last,
            (select count(*) from gone)::int as removed`,
      );
      await addCounts(work, id, { pushes: removed });
      return last;
    });
  }
};

/** Views and preferences of people, and texts of jobs, alerts and inboxes. */
const eraseTexts = ({ db }: App, { id }: Row): Promise<void> =>
  db.tx(scope, async (work) => {
    const near = (column: string) =>
      sql`erasure_near_text(${erasure(id)}, ${sql.ref(column)}::text)`;
    const { rows: views } = await sql`delete from saved_views where ${near('search')}
      returning id`.execute(work.tx);
    const { rows: kept } = await sql`delete from preferences where ${near('value')}
      returning 1 as n`.execute(work.tx);
    await sql`update user_jobs set params = '{}' where status in ('done', 'failed')
      and ${near('params')}`.execute(work.tx);
    await sql`delete from alerts where closed_at is not null and ${near('params')}`.execute(
      work.tx,
    );
    await sql`delete from inbox_entries where ${near('data')}`.execute(work.tx);
    await addCounts(work, id, { views: views.length + kept.length });
  });

/**
 * Removes the files of all exports of before, a job a transaction. An export that still runs may
 * have read the person already: the task is tried again once it has ended.
 */
const eraseFiles = async ({ db }: App, { id, decided_at }: Row): Promise<void> => {
  const { rows } = await db.tx(scope, (work) =>
    sql<{ id: number; ended: boolean }>`select id, status in ('done', 'failed') as ended
      from user_jobs where created_at <= ${decided_at} and kind = 'export'
        and (file_bytes is not null or status not in ('done', 'failed'))
      order by id`.execute(work.tx),
  );
  for (const one of rows.filter(({ ended }) => ended))
    await db.tx(scope, async (work) => {
      await sql`delete from user_job_files where job_id = ${one.id}`.execute(work.tx);
      await sql`update user_jobs set file_bytes = null where id = ${one.id}`.execute(work.tx);
      await addCounts(work, id, { export_files: 1 });
    });
  if (rows.some(({ ended }) => !ended)) throw new Error('An export that may have the person runs');
};

const end = ({ db }: App, { id }: Row): Promise<void> =>
  db.tx(scope, async (work) => {
    const { counts } = await oneRow(
      work,
      sql<{ counts: Counts }>`select erasure_end(${id}) as counts`,
    );
    await recordSystemAudit(work, {
      action: 'erase_person',
      subject: personalData,
      subject_id: id,
      changes: Object.fromEntries(
        Object.entries(counts).map(([place, count]) => [place, [null, count] as const]),
      ),
    });
  });

/** Each step blanks what is left of its rows, so that it may be repeated. */
const steps = [
  eraseParcels,
  eraseContacts,
  eraseImports,
  eraseAudit,
  erasePushes,
  eraseTexts,
  eraseFiles,
  end,
];

export const erasePerson = async (
  app: App,
  { erasure_id }: { erasure_id: number },
): Promise<void> => {
  const row = await app.db.tx(scope, (work) =>
    work.tx.selectFrom('erasures').selectAll().where('id', '=', erasure_id).executeTakeFirst(),
  );
  if (row?.status !== 'running') return;
  for (const step of steps) await step(app, row);
};
