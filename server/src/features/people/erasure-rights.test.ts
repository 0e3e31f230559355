import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Express } from '@waystation/contract/parcels/express.ts';
import { jsonText, sql } from '#platform/db/db.ts';
import { ownerRows } from '#testing/owner-rows.ts';
import { openTestApi } from '#testing/test-api.ts';
import type { TestApi, Tokens } from '#testing/test-api.ts';
import { exampleOrder } from '#testing/test-system.ts';

const phone = '13955667799';
const name = '欧阳静';

let api: TestApi;
let tokens: Tokens;
let parcel: Express;
const accounts: Record<string, number> = {};

const wanted = (changes: object = {}) => ({
  phone,
  names: [name],
  reason: '工单 1',
  senders: [],
  receivers: [parcel.id],
  contacts: [],
  salt: 'x',
  fingerprints: ['x'],
  ...changes,
});
const request = async (changes: object = {}, by = accounts['super']!): Promise<number> => {
  const [made] = await api.rows(
    sql<{ id: number }>`select erasure_request(${by}, ${jsonText(wanted(changes))}::jsonb) as id`,
  );
  return made!.id;
};
const approve = (id: number, by = accounts['admin']!) =>
  api.rows(sql`select erasure_approve(${id}, ${by})`);
const approved = async (): Promise<number> => {
  const id = await request();
  await approve(id);
  return id;
};
const erase = async (id: number): Promise<boolean> => {
  const [row] = await api.rows(
    sql<{ erased: boolean }>`select erase_parcel(${id}, ${parcel.id}) as erased`,
  );
  return row!.erased;
};
const planted = async (changes: object, columns: object = {}): Promise<number> => {
  const entry = {
    account_name: 'clerk',
    role: 'user',
    action: 'edit',
    subject: 'imports',
    at: new Date(Date.now() - 60_000).toISOString(),
    ...columns,
  };
  const [made] = await ownerRows(
    api,
    sql<{ id: number }>`insert into audit_log (account_name, role, action, subject, at, changes)
      select account_name, role, action, subject, at, ${jsonText(changes)}::jsonb
        from jsonb_populate_record(null::audit_log, ${jsonText(entry)}::jsonb) returning id`,
  );
  return made!.id;
};
const changesOf = async (id: number): Promise<unknown> => {
  const [row] = await api.rows(sql<{ changes: unknown }>`select changes from audit_log
    where id = ${id}`);
  return row!.changes;
};
const blankAudit = async (id: number): Promise<void> => {
  let last: number | null = 0;
  while (last !== null) {
    const rows: { last: number | null }[] = await api.rows(
      sql<{ last: number | null }>`select last from erase_audit(${id}, ${last}, 5000)`,
    );
    last = rows[0]!.last;
  }
};

beforeAll(async () => {
  api = await openTestApi();
  tokens = await api.loginAll();
  for (const { id, username } of await api.rows(
    sql<{ id: number; username: string }>`select id, username from accounts`,
  ))
    accounts[username] = id;
  parcel = (
    await api.call<Express>(
      tokens.clerk,
      'POST',
      '/api/arco/expresses',
      exampleOrder({ draft: 1, receive_phone: phone, receive_name: name }),
    )
  ).data;
  await api.rows(sql`update expresses set created_at = now() - interval '900 days'
    where id = ${parcel.id}`);
});
afterAll(() => api.close());

describe('the database’s protection against wrong erasures', () => {
  it('the database refuses an approved erasure that the application role inserts directly', async () => {
    await expect(
      api.rows(sql`insert into erasures (status, account_id, at, reason, phone, names, salt,
          fingerprints, decided_by, decided_at) select 'running', ${accounts['super']!}, now(), 'x',
          '', '{""}', 'x', '{}', ${accounts['admin']!}, now()`),
    ).rejects.toMatchObject({ code: '42501' });
    const id = await request();
    for (const change of [sql`phone = ''`, sql`status = 'running'`, sql`names = '{""}'`])
      await expect(
        api.rows(sql`update erasures set ${change} where id = ${id}`),
      ).rejects.toMatchObject({ code: '42501' });
    await expect(api.rows(sql`delete from erasures`)).rejects.toMatchObject({ code: '42501' });
  });

  it.each([
    ['an empty phone', { phone: '' }, 'erasure_person'],
    ['a phone of six digits', { phone: '139556' }, 'erasure_person'],
    ['no name', { names: [], fingerprints: [] }, 'erasure_person'],
    ['an empty name', { names: [''] }, 'erasure_person'],
    ['a blank name beside the true one', { names: [name, ' '] }, 'erasure_person'],
    ['no reason', { reason: ' ' }, 'erasure_person'],
    ['a name that no row has', { names: [name, '"'], fingerprints: ['x', 'y'] }, 'erasure_rows'],
    ['the phone of somebody else', { phone: '13900000001' }, 'erasure_rows'],
    ['no row', { receivers: [] }, 'erasure_rows'],
    ['the side that somebody else is', { receivers: [], senders: 'parcel' }, 'erasure_rows'],
  ])('an erasure request with %s is refused by the database', async (_, changes, constraint) => {
    const senders = 'senders' in changes ? { senders: [parcel.id] } : {};
    await expect(request({ ...changes, ...senders })).rejects.toMatchObject({ constraint });
  });

  it('the database refuses an erasure request by an account that is not a super admin', async () => {
    for (const by of ['admin', 'partner', 'station', 'clerk'])
      await expect(request({}, accounts[by]!)).rejects.toMatchObject({
        constraint: 'erasure_requester',
      });
  });

  it('the database refuses an erasure’s approval if the approver requested it or is no administrator, and refuses a second approval', async () => {
    const id = await request();
    for (const by of ['super', 'partner', 'station', 'clerk'])
      await expect(approve(id, accounts[by]!)).rejects.toMatchObject({
        constraint: 'erasure_approver',
      });
    await approve(id);
    await expect(approve(id)).rejects.toMatchObject({ constraint: 'erasure_approver' });
  });

  it('an erasure keeps audit entries that were added after its approval or are about personal data, and stores the number of blanked entries', async () => {
    const words = { row: ['', `${name} ${phone}`] };
    const before = await planted(words);
    const searched = await planted(words, { subject: 'personal_data', action: 'find_person' });
    const id = await approved();
    const after = await planted(words, { at: new Date(Date.now() + 60_000).toISOString() });
    await blankAudit(id);
    expect(await changesOf(before)).toEqual({});
    expect(await changesOf(searched)).toEqual(words);
    expect(await changesOf(after)).toEqual(words);
    expect(
      await api.rows(sql`select changes from audit_log where action = 'blank_entries'
        and subject = 'personal_data' and subject_id = ${id}`),
    ).toEqual([{ changes: { rows: [null, 1] } }]);
  });

  it('an erasure removes export filters with the person’s phone or name from the audit log', async () => {
    const filters = (of: object) => ({ rows: [null, 1], filters: [null, of] });
    const columns = { action: 'export', subject: 'expresses' };
    const byName = await planted(filters({ q: ` ${name}` }), columns);
    const byPhone = await planted(filters({ receive: { phone: '139 5566 7799' } }), columns);
    const others = await planted(filters({ q: `${name}芳`, page: 7799 }), columns);
    const id = await approved();
    await blankAudit(id);
    expect(await changesOf(byName)).toEqual(filters({}));
    expect(await changesOf(byPhone)).toEqual(filters({}));
    expect(await changesOf(others)).toEqual(filters({ q: `${name}芳`, page: 7799 }));
  });

  it.each([
    ['is too young', sql`created_at = now() - interval '29 days'`],
    ['is not finished', sql`state_code = 200`],
    ['is being changed', sql`modifying = 1`],
    ['is on hold', sql`held_status = 'open'`],
  ])(
    'the database refuses to erase a parcel that %s, even after the erasure was approved',
    async (_, change) => {
      const id = await approved();
      const [row] = await api.rows(sql<Record<string, unknown>>`select created_at, state_code,
      modifying, held_status from expresses where id = ${parcel.id}`);
      await ownerRows(api, sql`update expresses set ${change} where id = ${parcel.id}`);
      await expect(erase(id)).rejects.toMatchObject({ constraint: 'erased_finished' });
      await ownerRows(
        api,
        sql`update expresses set created_at = ${row!['created_at'] as Date},
        state_code = ${row!['state_code'] as number}, modifying = ${row!['modifying'] as number},
        held_status = ${row!['held_status'] as string | null} where id = ${parcel.id}`,
      );
    },
  );

  it('an erasure of a parcel removes the cells of its bill lines, but keeps those of open or disputed bill lines', async () => {
    const [bill] = await ownerRows(
      api,
      sql<{ id: number }>`insert into reconciliations (period, provider, file_name, file_type,
          file_bytes, file_hash, status, weight_tolerance, amount_tolerance)
        values ('2020-01', 'jdl', 'a.csv', 'csv', 1, 'x', 'ready', 0, 0)
        returning id`,
    );
    const decisions = ['open', 'disputed', 'accepted', 'settled'];
    await ownerRows(
      api,
      sql`insert into reconciliation_rows (reconciliation_id, no, cells, bucket, decision,
          express_id, station_id)
        select ${bill!.id}, d.no, ${jsonText([name])}::jsonb, 'weight_differs', d.decision,
          ${parcel.id}, ${parcel.station_id}
        from unnest(${decisions}::text[]) with ordinality d (decision, no)`,
    );
    expect(await erase(await approved())).toBe(true);
    expect(
      await api.rows(sql`select decision, cells is null as blank from reconciliation_rows
        where reconciliation_id = ${bill!.id} order by no`),
    ).toEqual([
      { decision: 'open', blank: false },
      { decision: 'disputed', blank: false },
      { decision: 'accepted', blank: true },
      { decision: 'settled', blank: true },
    ]);
  });

  it('erasing a parcel uses an index to find the prints of the parcel', async () => {
    const [source] = await ownerRows(
      api,
      sql<{ text: string }>`select substring(prosrc from 'update prints [^;]+') as text
        from pg_proc where proname = 'erase_parcel'`,
    );
    const statement = source!.text.replace('e.delivery_id', `'JD1'`).replace('parcel', '1');
    const plan = await ownerRows(api, sql<{ 'QUERY PLAN': string }>`explain ${sql.raw(statement)}`);
    expect(plan.map((line) => line['QUERY PLAN']).join('\n')).toContain('prints_waybill');
  });
});
