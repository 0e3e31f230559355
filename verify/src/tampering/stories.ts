/**
 * Rewrites history so that all data agree except the hashes. The hashes are recalculated
 * afterwards. Each function returns true if there was something to change.
 */
import { sql } from '@waystation/server/testing/product.ts';
import type { Work } from '@waystation/server/testing/product.ts';
import { dropTail, shiftWallet } from '@waystation/server/testing/rewrite.ts';

type Story = (work: Work, random: number) => Promise<boolean>;

/** Returns one random row of a query; undefined if the query returns no row. */
const pick = async <Row extends object>(
  work: Work,
  query: string,
  random: number,
): Promise<Row | undefined> =>
  (
    await sql
      .raw<Row>(
        `with q as (${query}) select * from q offset ${random} % greatest((select count(*) from q), 1) limit 1`,
      )
      .execute(work.tx)
  ).rows[0];

interface Posted {
  id: number;
  station_id: number;
}

const moved =
  (kind: string, account: string): Story =>
  async (work, random) => {
    const found = await pick<Posted>(
      work,
      `select id, station_id from ledger_transfers where kind = '${kind}' and station_id is not null order by id`,
      random,
    );
    if (!found) return false;
    await shiftWallet(work, found, 100 + (random % 900), account);
    return true;
  };

/** Changes the parcel's newest version so that it equals the parcel's row in `expresses`. */
const followVersion = async (work: Work, id: number): Promise<void> => {
  await sql`insert into frozen_terms select source_digest(terms::text), terms from expresses
    where id = ${id} on conflict do nothing`.execute(work.tx);
  await sql`update express_versions v set content = express_content(e),
    terms_digest = source_digest(e.terms::text),
    personal = source_personal(v.salt, express_personal(e))
    from expresses e where e.id = ${id} and v.express_id = e.id
      and v.no = (select max(no) from express_versions n
      where n.express_id = e.id)`.execute(work.tx);
};

/**
 * Pretends that another amount was charged for a parcel. Changes the parcel's amounts and version,
 * and its statement, entries and balances in the ledger.
 */
const charged: Story = async (work, random) => {
  const found = await pick<Posted & { express_id: number }>(
    work,
    `select t.id, t.station_id, t.express_id from ledger_transfers t where t.kind = 'charge' and exists (select 1 from ledger_entries e where e.transfer_id = t.id and e.account = 'revenue')
      and exists (select 1 from ledger_entries e where e.transfer_id = t.id and e.account = 'wallet' and e.station_id = t.station_id)
      and exists (select 1 from expresses e where e.id = t.express_id) and not exists (select 1 from ledger_transfers r where r.express_id = t.express_id and r.kind = 'reversal') order by t.id`,
    random,
  );
  if (!found) return false;
  await shiftWallet(work, found, 37, 'revenue');
  await sql`update statements set post_amount = post_amount - 37, pre_amount = pre_amount - 37
    where transfer_id = ${found.id} and station_id = ${found.station_id}`.execute(work.tx);
  await sql`update expresses set post_amount = post_amount - 37, pre_amount = pre_amount - 37
    where id = ${found.express_id}`.execute(work.tx);
  await followVersion(work, found.express_id);
  return true;
};

const carrierFee: Story = async (work, random) => {
  const found = await pick<{ id: number; express_id: number }>(
    work,
    `select max(t.id) as id, t.express_id from ledger_transfers t join expresses e on e.id = t.express_id where t.kind = 'carrier_fee' group by 2 order by 2`,
    random,
  );
  if (!found) return false;
  await sql`update ledger_entries set amount = amount + case account
    when 'carrier_cost' then -55 else 55 end where transfer_id = ${found.id}`.execute(work.tx);
  await sql`update expresses set jd_amount = jd_amount + 55
    where id = ${found.express_id}`.execute(work.tx);
  await followVersion(work, found.express_id);
  return true;
};

const edited =
  (set: string): Story =>
  async (work, random) => {
    const found = await pick<{ id: number }>(
      work,
      `select id from expresses where terms is not null order by id`,
      random,
    );
    if (!found) return false;
    await sql.raw(`update expresses set ${set} where id = ${found.id}`).execute(work.tx);
    await followVersion(work, found.id);
    return true;
  };

const updated =
  (table: string, set: string, where = 'true'): Story =>
  async (work, random) => {
    const found = await pick<{ place: string }>(
      work,
      `select ctid::text as place from ${table} where ${where} order by ctid`,
      random,
    );
    if (!found) return false;
    await sql.raw(`update ${table} set ${set} where ctid = '${found.place}'`).execute(work.tx);
    return true;
  };

/** Removes a row and its hash record, so that the row seems never to have existed. */
const forgotten =
  (table: string, kind: string, keys: string, where = 'true'): Story =>
  async (work, random) => {
    const found = await pick<{ place: string; k1: number; k2: number }>(
      work,
      `select ctid::text as place, ${keys} from ${table} where ${where} order by ctid`,
      random,
    );
    if (!found) return false;
    await sql.raw(`delete from ${table} where ctid = '${found.place}'`).execute(work.tx);
    await sql`delete from source_hashes where kind = ${kind} and k1 = ${found.k1}
      and (k2 = ${found.k2} or ${kind} in ('bill_line', 'setting'))`.execute(work.tx);
    return true;
  };

/** Removes the newest version of a parcel, so that the previous version becomes the newest. */
const versionForgotten: Story = async (work, random) => {
  const found = await pick<{ express_id: number; no: number }>(
    work,
    `select express_id, max(no) as no from express_versions v where no > 1 and not exists (select 1 from ledger_transfers t where t.version_hash = v.hash) group by 1 order by 1`,
    random,
  );
  if (!found) return false;
  await sql`delete from express_versions where express_id = ${found.express_id}
    and no = ${found.no}`.execute(work.tx);
  await sql`delete from source_hashes where kind = 'version' and k1 = ${found.express_id}
    and k2 = ${found.no}`.execute(work.tx);
  await followVersion(work, found.express_id);
  await sql`update express_versions v set content = express_content(e) from expresses e
    where e.id = v.express_id and v.express_id = ${found.express_id}
    and v.no = ${found.no - 1}`.execute(work.tx);
  return true;
};

/** Changes the figures of a closed month and the stored time of its closing. */
const closing: Story = async (work) => {
  await sql`update periods set closed_at = closed_at - interval '1 hour'
    where status = 'closed'`.execute(work.tx);
  const { rows } = await sql`update period_closings c set at = p.closed_at from periods p
    where p.period = c.period and p.status = 'closed'
    and c.id = (select max(id) from period_closings n where n.period = c.period)
      returning 1`.execute(work.tx);
  return rows.length > 0;
};

export const stories: [name: string, tell: Story][] = [
  ['top-up', moved('top_up', 'cash')],
  ['adjustment', moved('adjustment', 'revenue')],
  ['withdrawal', moved('withdrawal', 'cash')],
  ['refund', moved('refund', 'revenue')],
  ['charge', charged],
  ['carrier fee', carrierFee],
  [
    'newest transfer forgotten',
    async (work, random) => {
      const found = await pick<{ id: number }>(
        work,
        `select c.station_id as id from ledger_chain c join ledger_transfers t on t.id = c.transfer_id where t.kind in ('top_up', 'adjustment', 'withdrawal')
          and c.seq = (select max(seq) from ledger_chain n where n.station_id = c.station_id) order by 1`,
        random,
      );
      return found !== undefined && dropTail(work, found.id);
    },
  ],
  ['terms', edited(`terms = jsonb_set(terms, '{guarantee}', '7')`)],
  ['receiver', edited(`receive_name = receive_name || '乙'`)],
  ['weight', edited('weight = weight + 1')],
  ['version forgotten', versionForgotten],
  ['fact', updated('express_facts', `facts = facts || '{"forged": 1}'`)],
  ['fact forgotten', forgotten('express_facts', 'fact', 'express_id as k1, no as k2')],
  ['message', updated('express_messages', `operation_time = operation_time - interval '1 day'`)],
  ['message words', updated('express_messages', `remark = remark || '!'`)],
  ['message forgotten', forgotten('express_messages', 'message', 'id as k1, 0 as k2')],
  [
    'bill line',
    updated('reconciliation_rows', 'their_amount = their_amount + 1', `decision <> 'open'`),
  ],
  [
    'bill line forgotten',
    forgotten('reconciliation_rows', 'bill_line', 'id as k1, 0 as k2', `decision <> 'open'`),
  ],
  [
    'bill line open again',
    updated('reconciliation_rows', `decision = 'open'`, `decision = 'accepted'`),
  ],
  ['payment', updated('reconciliation_payments', 'amount = amount + 1')],
  ['payment forgotten', forgotten('reconciliation_payments', 'payment', 'id as k1, 0 as k2')],
  ['price table', updated('voucher_versions', `weight = weight || '{"forged": 1}'`)],
  [
    'price table forgotten',
    forgotten('voucher_versions', 'price_version', 'voucher_id as k1, no as k2'),
  ],
  ['confirmation', updated('statement_confirmations', `"in" = "in" + 1, closing = closing + 1`)],
  ['confirmation words', updated('statement_confirmations', `note = note || '!'`)],
  [
    'confirmation forgotten',
    forgotten('statement_confirmations', 'confirmation', 'id as k1, 0 as k2'),
  ],
  ['handover', updated('handovers', 'missing = missing + 1')],
  ['handover words', updated('handovers', `note = note || '!'`)],
  ['handover package', updated('handover_scans', `delivery_id = delivery_id || '0'`)],
  ['handover forgotten', forgotten('handovers', 'handover', 'id as k1, 0 as k2')],
  ['approval', updated('request_approvals', 'alone = 1 - alone')],
  [
    'approval forgotten',
    forgotten('request_approvals', 'approval', 'statement_id as k1, account_id as k2'),
  ],
  ['setting', updated('settings', `value = to_jsonb(1)`)],
  ['setting forgotten', forgotten('settings', 'setting', 'id as k1, 0 as k2')],
  ['closing', closing],
];
