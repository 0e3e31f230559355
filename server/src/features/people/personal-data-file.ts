import type { Reason } from '@waystation/contract/base/envelope.ts';
import { personalData } from '@waystation/contract/people/personal-data.ts';
import { notIncluded, personalWords } from '@waystation/contract/people/personal-words.ts';
import type { App } from '#app.ts';
import { countedJob, storeFile, storedFile } from '#domain/user-jobs/user-jobs.ts';
import type { JobRow } from '#domain/user-jobs/user-jobs.ts';
import { zipStream } from '#domain/workbook/workbook.ts';
import type { ZipEntry } from '#domain/workbook/workbook.ts';
import { recordAudit } from '#platform/audit.ts';
import { actorOfAccount } from '#platform/auth/actor-of-account.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { callerOf, sql } from '#platform/db/db.ts';
import { Failure, fail } from '#platform/fail.ts';
import type { PersonJob } from './personal-data.ts';

/** The ids in a job that are not ids of parcels. */
type OwnRows = 'contacts' | 'senders_of' | 'accounts';

type Query = ReturnType<typeof sql<{ row: object }>>;

/** The number of parcels whose rows are read at once. */
const slice = 50;

/** All fields of the person's side, and only the place of the other side. */
const sideOf = (side: 'sender' | 'receive'): Query => {
  const other = side === 'sender' ? 'receive' : 'sender';
  const own = (field: string) => sql.ref(`e.${side}_${field}`);
  return sql`jsonb_build_object('id', e.id, 'side', ${side}::text, 'order_id', e.order_id,
    'delivery_id', e.delivery_id, 'thr_order_id', e.thr_order_id, 'state', e.state_txt,
    'created_at', e.created_at, 'signed_at', e.signed_at, 'name', ${own('name')},
    'phone', ${own('phone')}, 'province', ${own('province')}, 'city', ${own('city')},
    'county', ${own('county')}, 'address', ${own('address')}, 'goods', e.goods,
    'remark', e.remark, 'description', e.description, 'weight', e.weight,
    'post_amount', e.post_amount, 'other_province', ${sql.ref(`e.${other}_province`)},
    'other_city', ${sql.ref(`e.${other}_city`)})`;
};

/** The files with data about parcels: the name of each file, and the query for its rows. */
const ofParcels: Record<string, (ids: readonly number[]) => Query> = {
  tracking: (ids) => sql`select jsonb_build_object('parcel', m.express_id, 'at', m.operation_time,
      'source', m.source, 'title', m.title, 'remark', m.remark, 'operator', m.operator_name,
      'place', m.place, 'as_received', m.raw) as row
    from express_messages m where m.express_id = any(${ids}::bigint[])
    order by m.express_id, m.operation_time, m.id`,
  edits: (ids) => sql`select jsonb_build_object('parcel', x.express_id, 'at', x.created_at,
      'status', x.status, 'changes', x.changes) as row
    from express_edits x where x.express_id = any(${ids}::bigint[]) order by x.id`,
  prints: (ids) => sql`select jsonb_build_object('parcel', p.express_id, 'at', p.created_at,
      'delivery_id', p.delivery_id, 'number', p.print_count, 'format', p.format,
      'reason', p.reason) as row
    from expresses e join prints p on p.delivery_id = e.delivery_id and p.express_id = e.id
    where e.id = any(${ids}::bigint[]) order by p.id`,
  carrier_calls: (ids) => sql`select jsonb_build_object('parcel', c.express_id, 'at', c.at,
      'operation', c.operation, 'request', c.request, 'response', c.answer) as row
    from carrier_calls c where c.express_id = any(${ids}::bigint[]) order by c.id`,
  bill_lines: (ids) => sql`select jsonb_build_object('parcel', r.express_id, 'line', r.no,
      'cells', r.cells, 'note', r.note) as row
    from reconciliation_rows r where r.express_id = any(${ids}::bigint[]) order by r.id`,
  import_rows: (ids) => sql`select jsonb_build_object('parcel', r.express_id, 'file', i.file_name,
      'line', r.line, 'fields', r.fields) as row
    from import_rows r join imports i on i.id = r.import_id
    where r.express_id = any(${ids}::bigint[]) order by r.express_id`,
  audit: (ids) => sql`select jsonb_build_object('parcel', a.subject_id, 'at', a.at,
      'action', a.action, 'changes', a.changes, 'reason', a.reason) as row
    from audit_log a where a.subject = 'expresses' and a.subject_id = any(${ids}::bigint[])
    order by a.id`,
};

const about = {
  zh: {
    title: '按手机号和姓名查到的全部个人信息',
    before_handing_over: '轨迹原文、承运商调用和账单行按原样列出，可能含另一方的信息，交付前请检查',
  },
  en: {
    title: 'Everything found of a person, by phone and name',
    before_handing_over:
      'Tracking as received, carrier calls and bill lines are as they are stored and may name the other side; check them first',
  },
} as const;

/** The files that are not about parcels: the name of each file, and the query for its rows. */
const ofOthers: Record<string, { of: OwnRows; query: (ids: readonly number[]) => Query }> = {
  contacts: {
    of: 'contacts',
    query: (ids) => sql`select to_jsonb(c) as row from contacts c
      where c.id = any(${ids}::bigint[]) order by c.id`,
  },
  contacts_audit: {
    of: 'contacts',
    query: (ids) => sql`select jsonb_build_object('contact', a.subject_id, 'at', a.at,
        'action', a.action, 'changes', a.changes, 'reason', a.reason) as row
      from audit_log a where a.subject = 'contacts' and a.subject_id = any(${ids}::bigint[])
      order by a.id`,
  },
  stations: {
    of: 'senders_of',
    query: (ids) => sql`select jsonb_build_object('id', s.id, 'station', s.name,
        'name', s.sender_name, 'phone', s.sender_phone, 'province', s.province, 'city', s.city,
        'county', s.county, 'address', s.address) as row
      from stations s where s.id = any(${ids}::bigint[]) order by s.id`,
  },
  accounts: {
    of: 'accounts',
    query: (ids) => sql`select jsonb_build_object('id', a.id, 'username', a.username,
        'name', a.nickname, 'phone', a.phone, 'identity', a.identity, 'avatar', a.avatar,
        'location', a.location, 'role', a.role, 'status', a.status, 'station_id', a.station_id,
        'registered_at', a.registered_at, 'last_seen_at', a.last_seen_at) as row
      from accounts a where a.id = any(${ids}::bigint[]) order by a.id`,
  },
  // Only the shown part of an address is included. The address of a chat robot is left out, because
  // its end is a part of the key.
  channels: {
    of: 'accounts',
    query: (ids) => sql`select jsonb_build_object('account', c.account_id, 'kind', c.kind,
        'name', c.name, 'address', case when c.kind in ('mail', 'webhook') then c.hint end,
        'language', c.language, 'kinds', c.kinds, 'status', c.status,
        'created_at', c.created_at, 'sent_at', c.sent_at) as row
      from notice_channels c where c.account_id = any(${ids}::bigint[])
        and c.status <> 'removed' order by c.id`,
  },
};

const jsonFile = (name: string, lines: ZipEntry['content']): ZipEntry => ({
  name: `${name}.json`,
  content: lines,
});

/** Returns the fields of a row without those of the other side of its parcel. */
const ofOwnSide = (fields: object, other: 'sender_' | 'receive_'): object =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !name.startsWith(other)));

/** Returns a row of `ofParcels` without the other side's data in its fields. */
const withoutOther = (
  row: { parcel?: number; changes?: object | null; fields?: object | null },
  { senders, receivers }: { senders: ReadonlySet<number>; receivers: ReadonlySet<number> },
): object => {
  const { parcel = 0 } = row;
  // If the person is both sender and recipient, both sides of the parcel are the person's.
  if (senders.has(parcel) && receivers.has(parcel)) return row;
  const other = senders.has(parcel) ? 'receive_' : 'sender_';
  return {
    ...row,
    ...(row.changes && { changes: ofOwnSide(row.changes, other) }),
    ...(row.fields && { fields: ofOwnSide(row.fields, other) }),
  };
};

/** A list as JSON, written row by row. */
async function* asJson(rows: AsyncIterable<object>): AsyncGenerator<Buffer> {
  let before = '[';
  for await (const row of rows) {
    yield Buffer.from(`${before}\n${JSON.stringify(row)}`);
    before = ',';
  }
  yield Buffer.from(before === '[' ? '[]\n' : '\n]\n');
}

async function* entriesOf(
  app: App,
  reader: () => Promise<Actor>,
  job: JobRow,
  { senders, receivers, language, ...others }: PersonJob,
): AsyncGenerator<ZipEntry> {
  const read = async (query: Query): Promise<object[]> => {
    const actor = await reader();
    const { rows } = await app.db.tx(callerOf(actor, job), (work) => query.execute(work.tx));
    return rows.map(({ row }) => row);
  };
  async function* sliced(ids: readonly number[], queryOf: (ids: readonly number[]) => Query) {
    for (let at = 0; at < ids.length; at += slice)
      yield* await read(queryOf(ids.slice(at, at + slice)));
  }
  async function* parcels() {
    for (const [side, ids] of [
      ['sender', senders],
      ['receive', receivers],
    ] as const)
      yield* sliced(
        ids,
        (some) => sql`select ${sideOf(side)} as row from expresses e
          where e.id = any(${some}::bigint[]) order by e.id`,
      );
  }
  const made = {
    ...about[language],
    not_included: notIncluded.map((word) => personalWords[word][language]),
    made_at: app.clock.now().toISOString(),
  };
  yield jsonFile('about', [Buffer.from(`${JSON.stringify(made, null, 2)}\n`)]);
  yield jsonFile('parcels', asJson(parcels()));
  for (const [name, { of, query }] of Object.entries(ofOthers))
    yield jsonFile(name, asJson(sliced(others[of] ?? [], query)));
  const ids = [...new Set([...senders, ...receivers])].toSorted((one, other) => one - other);
  const sides = { senders: new Set(senders), receivers: new Set(receivers) };
  async function* ownOf(queryOf: (some: readonly number[]) => Query) {
    for await (const row of sliced(ids, queryOf)) yield withoutOther(row, sides);
  }
  for (const [name, queryOf] of Object.entries(ofParcels))
    yield jsonFile(name, asJson(ownOf(queryOf)));
}

/**
 * Makes the file of a job, or returns the reason why it cannot. A second attempt writes the file
 * again.
 */
export const make = async (app: App, job: JobRow): Promise<Reason | null> => {
  const wanted = job.params as unknown as PersonJob;
  try {
    // The account is checked before every slice, because a user who loses the right to export must
    // get no more data.
    const reader = async (): Promise<Actor> => {
      const actor = (await actorOfAccount(app.db, job.account_id)) ?? fail('account_disabled');
      if (actor.may_export === 0) fail('export_not_allowed');
      return actor.role === 'super' ? actor : fail('forbidden');
    };
    const { senders, receivers, contacts, senders_of = [], accounts = [] } = wanted;
    const rows = [senders, receivers, contacts, senders_of, accounts].flat().length;
    await countedJob(app.db, job.id, rows);
    const bytes = await storeFile(app.db, job.id, zipStream(entriesOf(app, reader, job, wanted)));
    await storedFile(app.db, job.id, {
      name: `personal-data-${job.id}.zip`,
      type: 'application/zip',
      bytes,
      rows,
      stations: [],
    });
    await app.db.tx(callerOf(await reader(), job), (work) =>
      recordAudit(work, {
        action: 'export_file',
        subject: personalData,
        subject_id: null,
        changes: { job_id: [null, job.id], rows: [null, rows] },
      }),
    );
    return null;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { code: error.code, params: error.params };
  }
};
