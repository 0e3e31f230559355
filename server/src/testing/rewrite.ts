/**
 * Rewrites a whole history consistently. A superuser could do this with the knowledge of how all
 * hashes are calculated. Triggers and constraints are switched off.
 */
import { sql } from '#platform/db/db.ts';
import type { Work } from '#platform/db/db.ts';

/**
 * Recalculates every hash and every link from the present rows. With `checkpoints`, also
 * recalculates the checkpoints of the hash chains.
 */
export const rehash = async (
  work: Work,
  { checkpoints }: { checkpoints: boolean },
): Promise<void> => {
  await sql
    .raw(
      `do $$
declare c ledger_chain; v express_versions; b source_blocks; before bytea := ''; whose bigint := -1; fresh bytea;
begin
  for v in select * from express_versions order by express_id, no loop
    if v.express_id <> whose then whose := v.express_id; before := ''; end if;
    v.hash_before := before;
    fresh := express_version_hash(v);
    if fresh <> v.hash then
      update ledger_transfers set version_hash = fresh where express_id = v.express_id and version_hash = v.hash;
      update express_versions set hash_before = before, hash = fresh where express_id = v.express_id and no = v.no;
    end if;
    before := fresh;
  end loop;
  update source_hashes h set digest = n.hash from express_versions n where h.kind = 'version' and n.express_id = h.k1 and n.no = h.k2 and h.digest <> n.hash;
  update source_hashes h set personal = x.personal, digest = source_record_digest(h.kind, h.k1, h.k2, x.personal, x.content) from (
    select h.id, case when h.personal is not null then source_personal(h.salt, coalesce(f.reason, '')) end as personal, fact_text(f) as content
      from source_hashes h join express_facts f on (f.express_id, f.no) = (h.k1, h.k2) where h.kind = 'fact'
    union all select h.id, source_personal(h.salt, message_personal(m)), message_text(m) from source_hashes h join express_messages m on m.id = h.k1 where h.kind = 'message'
    union all select h.id, case when h.personal is not null then source_personal(h.salt, p.description) end, payment_text(p)
      from source_hashes h join reconciliation_payments p on p.id = h.k1 where h.kind = 'payment'
    union all select h.id, case when h.personal is not null then source_personal(h.salt, g.reason) end, closing_text(g)
      from source_hashes h join period_closings g on g.id = h.k1 where h.kind = 'closing'
    union all select h.id, null, price_version_text(p) from source_hashes h join voucher_versions p on (p.voucher_id, p.no) = (h.k1, h.k2) where h.kind = 'price_version'
    union all select h.id, source_personal(h.salt, confirmation_personal(k)), confirmation_text(k)
      from source_hashes h join statement_confirmations k on k.id = h.k1 where h.kind = 'confirmation'
    union all select h.id, null, approval_text(a) from source_hashes h join request_approvals a on (a.statement_id, a.account_id) = (h.k1, h.k2) where h.kind = 'approval'
    union all select h.id, source_personal(h.salt, handover_personal(w)), handover_text(w)
      from source_hashes h join handovers w on w.id = h.k1 where h.kind = 'handover'
    union all select h.id, null, erasure_text(o) from source_hashes h join erasures o on o.id = h.k1 where h.kind = 'erasure_approval'
    union all select h.id, null, setting_text(s) from source_hashes h join settings s on s.id = h.k1
      where h.kind = 'setting' and h.k2 = (select max(n.k2) from source_hashes n where n.kind = h.kind and n.k1 = h.k1)
    union all select h.id, source_personal(h.salt, bill_line_personal(l)), bill_line_text(l, r) from source_hashes h join reconciliation_rows l on l.id = h.k1
      join reconciliations r on r.id = l.reconciliation_id where h.kind = 'bill_line' and h.k2 = (select max(n.k2) from source_hashes n where n.kind = h.kind and n.k1 = h.k1)) x
    where x.id = h.id and (h.personal is null or h.salt is not null);
  update statements s set hash = ledger_statement_hash(ledger_statement_text(s), s.status, s.updated_at);
  update ledger_transfers t set hash = ledger_transfer_hash(t, coalesce((select array_agg(e order by e.no) from ledger_entries e where e.transfer_id = t.id), '{}'),
    coalesce((select array_agg(s order by s.id) from statements s where s.transfer_id = t.id), '{}'));
  before := ''; whose := -1;
  for c in select * from ledger_chain order by station_id, seq loop
    if c.station_id <> whose then whose := c.station_id; before := ''; end if;
    before := ledger_chain_hash(before, c.station_id, c.seq, (select hash from ledger_transfers where id = c.transfer_id));
    update ledger_chain set hash = before where station_id = c.station_id and seq = c.seq;
  end loop;
  before := ''; whose := -1;
  for b in select * from source_blocks order by station_id, seq loop
    if b.station_id <> whose then whose := b.station_id; before := ''; end if;
    select count(*), coalesce(sha256(string_agg(source_record_bytes(r), '' order by r.id)), '') into b.records, b.content
      from source_hashes r where r.station_id = b.station_id and r.block = b.seq;
    before := source_block_hash(before, b);
    update source_blocks set records = b.records, content = b.content, hash = before where station_id = b.station_id and seq = b.seq;
  end loop;
end $$`,
    )
    .execute(work.tx);
  if (checkpoints) await rehashCheckpoints(work);
};

/**
 * Recalculates the checkpoints of the hash chains and the marks of their newest hashes from the
 * present chains.
 */
const rehashCheckpoints = async (work: Work): Promise<void> => {
  await sql
    .raw(
      `do $$ begin
  update ledger_checkpoints c set chain_seq = coalesce(l.seq, 0), chain_hash = coalesce(l.hash, ''), seq = coalesce(s.seq, 0), money = coalesce(s.balance, 0),
      "freeze" = coalesce(s.balance - s.available - s.fixed_freeze, 0), source_seq = coalesce(b.seq, 0), source_hash = coalesce(b.hash, '')
    from (select station_id from ledger_checkpoints) k
      left join lateral (select seq, hash from ledger_chain where station_id = k.station_id order by seq desc limit 1) l on true
      left join lateral (select * from statements where station_id = k.station_id and seq is not null order by seq desc limit 1) s on true
      left join lateral (select seq, hash from source_blocks where station_id = k.station_id order by seq desc limit 1) b on true
    where c.station_id = k.station_id;
  delete from ledger_head_marks m where case m.chain when 'ledger' then not exists (select 1 from ledger_chain l where (l.station_id, l.seq) = (m.station_id, m.seq))
    else not exists (select 1 from source_blocks b where (b.station_id, b.seq) = (m.station_id, m.seq)) end;
  update ledger_head_marks m set hash = l.hash from ledger_chain l where m.chain = 'ledger' and (l.station_id, l.seq) = (m.station_id, m.seq);
  update ledger_head_marks m set hash = b.hash from source_blocks b where m.chain = 'sources' and (b.station_id, b.seq) = (m.station_id, m.seq);
end $$`,
    )
    .execute(work.tx);
};

/**
 * Adds `amount` to the amount that a transfer moved in a station's wallet, and to every later
 * balance of the station.
 */
export const shiftWallet = async (
  work: Work,
  { id: transfer_id, station_id }: { id: number; station_id: number },
  amount: number,
  against: string,
): Promise<void> => {
  await sql`update ledger_entries set amount = amount + ${amount}
    where transfer_id = ${transfer_id} and station_id = ${station_id}
    and account = 'wallet'`.execute(work.tx);
  await sql`update ledger_entries set amount = amount - ${amount}
    where transfer_id = ${transfer_id} and account = ${against}`.execute(work.tx);
  await sql`update statements set amount = amount + ${amount}
    where transfer_id = ${transfer_id} and station_id = ${station_id}`.execute(work.tx);
  await sql`with since as (select seq from statements where transfer_id = ${transfer_id}
    and station_id = ${station_id}),
    lines as (update statements s set balance = s.balance + ${amount},
      available = s.available + ${amount} from since where s.station_id = ${station_id}
      and s.seq >= since.seq),
    entries as (update ledger_entries e set balance = e.balance + ${amount} from since
      where e.station_id = ${station_id} and e.seq >= since.seq and e.account = 'wallet')
    update stations set money = money + ${amount} where id = ${station_id}`.execute(work.tx);
};

/**
 * Changes the amount of the first or the last top-up of a station. Also changes all data that
 * depend on this amount, but not the hashes.
 */
export const rewriteTopUp = async (
  work: Work,
  station_id: number,
  amount: number,
  which: 'first' | 'last' = 'first',
): Promise<void> => {
  const { rows } = await sql<{ id: number }>`select id from ledger_transfers
    where station_id = ${station_id} and kind = 'top_up'
    order by id ${sql.raw(which === 'first' ? 'asc' : 'desc')} limit 1`.execute(work.tx);
  await shiftWallet(work, { id: rows[0]!.id, station_id }, amount, 'cash');
};

/**
 * Deletes the newest transfer of a station with all its rows, if that transfer is a top-up, an
 * adjustment or a withdrawal. Returns true if a transfer was deleted.
 */
export const dropTail = async (work: Work, station_id: number): Promise<boolean> => {
  const { rows } = await sql<{ id: number; amount: number }>`select t.id, s.amount
    from ledger_chain c join ledger_transfers t on t.id = c.transfer_id
      join statements s on s.transfer_id = t.id and s.station_id = c.station_id
    where c.station_id = ${station_id} and c.seq = (select max(seq) from ledger_chain
      where station_id = ${station_id}) and t.kind in ('top_up', 'adjustment',
      'withdrawal')`.execute(work.tx);
  const tail = rows[0];
  if (!tail) return false;
  await sql`delete from ledger_chain where transfer_id = ${tail.id}`.execute(work.tx);
  await sql`delete from ledger_entries where transfer_id = ${tail.id}`.execute(work.tx);
  await sql`delete from statements where transfer_id = ${tail.id}`.execute(work.tx);
  await sql`delete from ledger_transfers where id = ${tail.id}`.execute(work.tx);
  await sql`update stations set money = money - ${tail.amount}
    where id = ${station_id}`.execute(work.tx);
  return true;
};
