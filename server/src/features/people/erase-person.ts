import * as z from 'zod/mini';
import type { ErasurePlace } from '@waystation/contract/people/erasure.ts';
import { erasedName } from '@waystation/contract/parcels/erased.ts';
import { personalData } from '@waystation/contract/people/personal-data.ts';
import type { App } from '#app.ts';
import { recordSystemAudit } from '#platform/audit.ts';
import { oneRow, sql } from '#platform/db/db.ts';
import type { Work } from '#platform/db/db.ts';
import { task } from '#platform/jobs/task.ts';
import { eraseImports } from './erase-imports.ts';
import { erasePushes } from './erase-pushes.ts';
import { addCounts, scope } from './erase-step.ts';
import type { Counts, ErasureRow, Step } from './erase-step.ts';
import { eraseTexts } from './erase-texts.ts';

/** Task: erases one person. It may be interrupted, and then runs again from the beginning. */
export const erasePersonTask = task('erase_person', z.object({ erasure_id: z.int() }), {
  attempts: 12,
  keyBy: ['erasure_id'],
  queue: () => 'erasures',
  priority: 10,
});

/** The number of parcels in one transaction, and of rows in one slice of the audit log. */
const most = { parcels: 20, audit: 5_000 };

/** The number of rows in each place that an erasure of these parcels and contacts blanks. */
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
        and decision not in ('open', 'disputed')
        and (cells is not null or note <> '')) as bill_lines,
      (select count(*)::int from carrier_calls where express_id = ${ids}) as carrier_calls,
      0 as skipped, ${contacts.length}::int as contacts,
      (select count(*)::int from import_rows where express_id = ${ids}) as import_rows,
      (select count(*)::int from audit_log where subject = 'expresses' and subject_id = ${ids}
        and changes <> '{}') + (select count(*)::int from audit_log where subject = 'contacts'
        and subject_id = any(${[...contacts]}::bigint[]) and changes <> '{}') as audit,
      (select count(*)::int from user_jobs where file_bytes is not null) as export_files`,
  );
};

interface LeftParcel {
  id: number;
  number: string;
  /** True if the parcel was ordered or changed after the approval, because it is then in use. */
  is_blocked: boolean;
}

/** Locks and returns the parcels that still contain the person. */
const leftParcels = async (
  work: Work,
  { id, senders, receivers, names }: ErasureRow,
  parcels: readonly number[],
): Promise<LeftParcel[]> => {
  const { rows } = await sql<LeftParcel>`select e.id,
      coalesce(e.delivery_id, e.order_id) as number, not express_is_erasable(e) as is_blocked
    from expresses e, erasures o
    where o.id = ${id} and e.id = any(${[...parcels]}::bigint[])
      and ((e.id = any(${senders}::bigint[]) and e.sender_name = any(${names}::text[])
          and erasure_has_phone(o, e.sender_phone))
        or (e.id = any(${receivers}::bigint[]) and e.receive_name = any(${names}::text[])
          and erasure_has_phone(o, e.receive_phone)))
    order by e.id for update of e`.execute(work.tx);
  return rows;
};

const parcelsOf = ({ senders, receivers }: ErasureRow): number[] => [
  ...new Set([...senders, ...receivers]),
];

const eraseParcels: Step = async ({ db }, row) => {
  const { id } = row;
  const parcels = parcelsOf(row);
  for (let at = 0; at < parcels.length; at += most.parcels)
    await db.tx(scope, async (work) => {
      const theirs = await leftParcels(work, row, parcels.slice(at, at + most.parcels));
      const left = theirs.filter(({ is_blocked }) => !is_blocked).map((one) => one.id);
      const {
        export_files: _,
        import_rows: __,
        ...counts
      } = await countsOf(work, { parcels: left, contacts: [] });
      await sql`select erase_parcel(${id}, p) from unnest(${left}::bigint[]) p`.execute(work.tx);
      await addCounts(work, id, counts);
    });
};

const eraseContacts: Step = ({ db }, { id, names, contacts }) =>
  db.tx(scope, async (work) => {
    const { rows } = await sql<{ id: number }>`update contacts c set name = ${erasedName},
        phone = '', province = '', city = '', county = '', address = '', status = 0,
        version = c.version + 1, updated_at = now()
      from erasures o where o.id = ${id} and c.id = any(${contacts}::bigint[])
        and c.name = any(${names}::text[]) and erasure_has_phone(o, c.phone)
      returning c.id`.execute(work.tx);
    await sql`update user_job_items i set name = '' from user_jobs j where j.id = i.job_id
      and j.list = 'contacts' and i.subject_id = any(${rows.map((one) => one.id)}::bigint[])`.execute(
      work.tx,
    );
    await addCounts(work, id, { contacts: rows.length });
  });

const eraseAudit: Step = async ({ db }, { id }) => {
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

/**
 * Removes the files of all exports that began before the earlier steps had ended. Waits for an
 * export that still runs, because it may already have read the person.
 */
const eraseFiles: Step = async ({ db }, { id }) => {
  const { rows } = await db.tx(scope, (work) =>
    sql<{ id: number; ended: boolean }>`select id, status in ('done', 'failed') as ended
      from user_jobs where kind = 'export'
        and (file_bytes is not null or status not in ('done', 'failed'))
      order by id`.execute(work.tx),
  );
  for (const one of rows.filter(({ ended }) => ended))
    await db.tx(scope, async (work) => {
      await sql`delete from user_job_files where job_id = ${one.id}`.execute(work.tx);
      await sql`update user_jobs set file_bytes = null where id = ${one.id}`.execute(work.tx);
      await addCounts(work, id, { export_files: 1 });
    });
  return rows.some(({ ended }) => !ended) ? 'An export that may have the person runs' : undefined;
};

/** Ends an erasure, and records the numbers of the parcels that were skipped. */
const end = ({ db }: App, row: ErasureRow): Promise<void> =>
  db.tx(scope, async (work) => {
    const { id } = row;
    const skipped = (await leftParcels(work, row, parcelsOf(row))).map(({ number }) => number);
    await addCounts(work, id, { skipped: skipped.length });
    const { counts } = await oneRow(
      work,
      sql<{ counts: Counts }>`select erasure_end(${id}) as counts`,
    );
    await recordSystemAudit(work, {
      action: 'erase_person',
      subject: personalData,
      subject_id: id,
      changes: {
        ...Object.fromEntries(
          Object.entries(counts).map(([place, count]) => [place, [null, count] as const]),
        ),
        ...(skipped.length > 0 && { skipped: [null, skipped.join(' ')] as const }),
      },
    });
  });

const steps: readonly Step[] = [
  eraseParcels,
  eraseContacts,
  eraseImports,
  eraseAudit,
  erasePushes,
  eraseTexts,
  eraseFiles,
];

/**
 * Runs all steps, even if one of them must be repeated. The erasure ends when no step must be
 * repeated.
 */
export const erasePerson = async (
  app: App,
  { erasure_id }: { erasure_id: number },
): Promise<void> => {
  const row = await app.db.tx(scope, (work) =>
    work.tx.selectFrom('erasures').selectAll().where('id', '=', erasure_id).executeTakeFirst(),
  );
  if (row?.status !== 'running') return;
  const waiting: string[] = [];
  for (const step of steps) {
    const why = await step(app, row);
    if (why) waiting.push(why);
  }
  if (waiting.length > 0) throw new Error(waiting.join('; '));
  await end(app, row);
};
