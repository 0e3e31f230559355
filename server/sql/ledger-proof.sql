-- The proof of money (docs/ledger.md): functions that check the given transfers, parcels and
-- stations. A full check calls them piece by piece, a check of new rows with the rows since the
-- checkpoints (server/sql/ledger-walk.sql). Both check a row by the same conditions. Each condition
-- needs only the row and its neighbours, so memory and time of a call depend on its arguments
-- alone. The numbers of neighbours are columns of materialized queries. Row-level security applies
-- to an owner that is no superuser, and then PostgreSQL searches no index for the result of
-- coalesce, or of an operator that may fail, such as a subtraction. Rows that a row refers to are
-- looked up one by one (`offset 0`). Otherwise the planner reads the whole table for one piece, and
-- pieces become slower as the ledger grows.

-- I1, I2, I4 and I8 of transfers with their entries, statements and links. Rows without an
-- invariant are figures. `checked`: the number of entries read. `total`: their sum. `sum`: the
-- amount and frozen amount of a station's entries up to its mark, or after it if `is_new`.
create or replace function ledger_transfer_proof(ids bigint[], marks ledger_checkpoints[], is_new boolean)
  returns table (invariant text, subject text, stations bigint[], detail text)
  language plpgsql stable set search_path = public, pg_temp set work_mem = '64MB' as $$
#variable_conflict use_column
begin
  return query
  with checked as materialized (
    select w.id as wanted, t.*, e.*, l.*, c.links
    from unnest(ids) w (id) left join lateral (select t.* from ledger_transfers t where t.id = w.id offset 0) t on true
      cross join lateral (select count(*) as n, coalesce(sum(e.amount), 0) as total, coalesce(array_agg(e order by e.no), '{}') as entries,
          coalesce(string_agg(ledger_entry_text(e), '' order by e.no), '') as entries_text,
          array_agg(distinct e.station_id order by e.station_id) filter (where e.station_id is not null) as touched
        from ledger_entries e where e.transfer_id = w.id) e
      cross join lateral (select coalesce(array_agg(s order by s.id), '{}') as lines, coalesce(string_agg(x.facts, '' order by s.id), '') as lines_text,
          array_agg(s.id) filter (where s.hash is distinct from ledger_statement_hash(x.facts, s.status, s.updated_at)) as altered
        from statements s cross join lateral (select ledger_statement_text(s) as facts offset 0) x where s.transfer_id = w.id) l
      cross join lateral (select coalesce(array_agg(c order by c.station_id), '{}') as links from ledger_chain c where c.transfer_id = w.id) c
  ), lined as materialized (
    select k.id as in_transfer, k.at, k.period as in_period, (s).*, (s).seq - 1 as seq_before, (s).balance - (s).available - (s).fixed_freeze as frozen
    from checked k cross join unnest(k.lines) s where k.id is not null
  ), linked as materialized (
    select k.id, k.hash as transfer_hash, (c).*, (c).seq - 1 as seq_before from checked k cross join unnest(k.links) c
  ), moved as materialized (
    select k.id as in_transfer, e.station_id, sum(e.amount) as amount, coalesce(sum(e.amount) filter (where e.account = 'holds'), 0) as freeze_amount,
      min(e.seq) as seq, max(e.seq) as last_seq, max(e.balance) filter (where e.account = 'wallet') as wallet, max(e.balance) filter (where e.account = 'holds') as holds
    from checked k cross join unnest(k.entries) e where k.id is not null and e.station_id is not null group by 1, 2
  )
  select null, 'checked', null::bigint[], coalesce(sum(n) filter (where id is not null), 0)::text from checked
  union all select null, 'total', null, coalesce(sum(total), 0)::text from checked
  union all select null, 'sum', array[m.station_id], sum(m.amount) || ' ' || sum(m.freeze_amount)
    from moved m join linked l on l.id = m.in_transfer and l.station_id = m.station_id
      left join unnest(marks) k on k.station_id = m.station_id
    where case when is_new then l.seq > coalesce(k.chain_seq, 0) else l.seq <= k.chain_seq end group by m.station_id
  -- I1: every transfer sums to zero.
  union all select 'I1', 'transfer ' || id, touched, format('%s entries sum to %s', n, total) from checked where id is not null and (n < 2 or total <> 0)
  -- I2: statements equal their entries, and each follows from the one before.
  union all select 'I2', format('transfer %s', coalesce(s.in_transfer, m.in_transfer)), array[coalesce(s.station_id, m.station_id)],
      format('station %s: statement %s, entries %s', coalesce(s.station_id, m.station_id), row(s.amount, s.freeze_amount, s.balance, s.available), row(m.amount, m.freeze_amount, m.wallet, m.holds))
    from lined s full join moved m on m.in_transfer = s.in_transfer and m.station_id = s.station_id
    where (s.amount, s.freeze_amount, s.seq, s.seq) is distinct from (m.amount, m.freeze_amount, m.seq, m.last_seq)
      or (coalesce(m.wallet, s.balance - s.frozen), coalesce(m.holds, s.frozen)) is distinct from (s.balance - s.frozen, s.frozen)
      or (s.posted_at, s.period) is distinct from (s.at, s.in_period) or s.status not in ('posted', 'reversed')
  union all select 'I2', 'statement ' || s.id, array[s.station_id], format('seq %s after %s, money %s after %s with %s, frozen %s after %s with %s',
      s.seq, p.seq, s.balance, p.balance, s.amount, s.frozen, p.balance - p.available - p.fixed_freeze, s.freeze_amount)
    from lined s left join lateral (select p.seq, p.balance, p.available, p.fixed_freeze from statements p where p.station_id = s.station_id and p.seq = s.seq_before offset 0) p on true
    where (s.seq <> 1 and p.seq is null) or s.seq is null or s.frozen < 0
      or (s.balance, s.frozen) is distinct from (coalesce(p.balance, 0) + s.amount, coalesce(p.balance - p.available - p.fixed_freeze, 0) + s.freeze_amount)
  union all select 'I2', 'statement ' || s.id, array[s.station_id], format('%s, but %s', s.status, case when r.id is null then 'its parcel is not reversed' else 'its parcel is reversed' end)
    from lined s
      left join lateral (select p.id, p.at from ledger_transfers p where p.express_id = s.express_id and p.kind = 'reversal' and p.id > s.in_transfer
        and s.type in ('charge', 'reweigh', 'surcharge', 'refund', 'profit') offset 0) p on true
      left join lateral (select max(q.transfer_id) as transfer_id, sum(q.amount) as amount from statements q where s.type = 'top_up' and q.reverses_id = s.id and q.transfer_id is not null and q.status <> 'declined') q on true
      left join lateral (select b.id, b.at from ledger_transfers b where b.id = q.transfer_id and q.amount between -s.amount and -1 offset 0) b on true
      cross join lateral (select coalesce(p.id, b.id) as id, coalesce(p.at, b.at) as at) r
    where (s.status = 'reversed') <> (r.id is not null) or s.updated_at <> coalesce(r.at, s.at)
  -- I4: a withdrawal never exceeds the available sum, nor does a hold of a station with the balance
  -- check.
  union all select 'I4', 'statement ' || id, array[station_id], format('%s of %s left %s available', type, greatest(-amount, freeze_amount), available)
    from lined where available < 0 and (type = 'withdrawal' or (type = 'hold' and freeze_amount > 0 and has_amount = 1))
  -- I8: hashes and chains.
  union all select 'I8', 'transfer ' || id, coalesce(touched, array[station_id]), 'its hash does not fit its content'
    from checked k where id is not null and hash is distinct from sha256(convert_to(ledger_transfer_text(row(k.id, k.kind, k.cause, k.content, k.station_id, k.express_id,
      k.attempt, k.account_id, k.at, k.period, k.hash, k.version_hash)::ledger_transfers) || entries_text || lines_text, 'UTF8'))
  union all select 'I8', 'statement ' || a.id, (select array_agg((s).station_id) from unnest(k.lines) s where (s).id = a.id), 'its hash does not fit its content'
    from checked k cross join unnest(k.altered) a (id)
  union all select 'I8', format('chain %s link %s', c.station_id, c.seq), array[c.station_id], 'does not follow from the link before and its transfer'
    from linked c left join lateral (select p.seq, p.hash from ledger_chain p where p.station_id = c.station_id and p.seq = c.seq_before offset 0) p on true
    where (c.seq <> 1 and p.seq is null) or c.hash is distinct from ledger_chain_hash(coalesce(p.hash, ''), c.station_id, c.seq, c.transfer_hash)
  union all select 'I8', 'transfer ' || id, coalesce(touched, array[station_id]), format('touches %s, linked in %s', coalesce(touched, array[station_id]), linked)
    from (select k.*, nullif(array(select c.station_id from unnest(k.links) c), '{}') as linked from checked k where id is not null) k
    where case when touched is null and station_id is null then coalesce(linked, '{0}') <> '{0}' else linked is distinct from coalesce(touched, array[station_id]) end
  union all select 'I8', 'transfer ' || wanted, array(select distinct x from unnest(touched || array(select (s).station_id from unnest(lines) s)
      || array(select (c).station_id from unnest(links) c)) x where x is not null), 'is gone, its rows are not'
    from checked where id is null
  -- I11: the version that a transfer names exists.
  union all select 'I11', 'transfer ' || k.id, array[k.station_id], 'names a version that its parcel does not have'
    from checked k where k.version_hash is not null and not exists (select 1 from express_versions v where v.express_id = k.express_id and v.hash = k.version_hash);
end $$;

-- I3 and I5 of parcels: every hold ends once, and a parcel has at most one first charge.
create or replace function ledger_hold_proof(ids bigint[]) returns table (invariant text, subject text, stations bigint[], detail text)
  language plpgsql stable set search_path = public, pg_temp as $$
#variable_conflict use_column
begin
  return query
  with lives as materialized (
    select t.express_id, t.attempt, min(t.station_id) as station_id,
      sum(s.freeze_amount) filter (where t.kind = 'hold') as opened,
      count(*) filter (where t.kind = 'release') as releases, -sum(s.freeze_amount) filter (where t.kind = 'release') as released,
      count(*) filter (where t.kind = 'charge') as charges, coalesce(-sum(s.freeze_amount) filter (where t.kind = 'charge'), 0) as charged,
      sum(s.pre_amount) filter (where t.kind = 'hold') as pre_amount, sum(s.discount_amount) filter (where t.kind = 'hold') as discount_amount,
      sum(s.guarantee_amount) filter (where t.kind = 'hold') as guarantee_amount, (array_agg(s.discount order by s.seq desc) filter (where t.kind = 'hold'))[1] as discount,
      (array_agg(s.has_amount order by s.seq) filter (where t.kind = 'hold'))[1] as has_amount,
      (array_agg(s.fixed_freeze order by s.seq) filter (where t.kind = 'hold'))[1] as fixed_freeze
    from unnest(ids) p (id)
      cross join lateral (select t.* from ledger_transfers t where t.express_id = p.id and t.kind in ('hold', 'release', 'charge') offset 0) t
      left join lateral (select s.* from statements s where s.transfer_id = t.id and s.station_id = t.station_id offset 0) s on true group by 1, 2
  ), held as materialized (
    select h.* from unnest(ids) p (id) cross join lateral (select h.* from ledger_holds h where h.express_id = p.id offset 0) h
  )
  select 'I3', format('hold %s, attempt %s', coalesce(h.express_id, l.express_id), coalesce(h.attempt, l.attempt)), array[coalesce(l.station_id, h.station_id)],
      format('is %s with %s; held %s, released %s times, charged %s times', h.status, h.amount, l.opened, l.releases, l.charges)
    from held h full join lives l on l.express_id = h.express_id and l.attempt = h.attempt
    where (h.station_id, h.amount, h.pre_amount, h.discount, h.discount_amount, h.guarantee_amount, h.has_amount, h.fixed_freeze, h.status::text)
      is distinct from (l.station_id, l.opened, l.pre_amount, l.discount, l.discount_amount, l.guarantee_amount, l.has_amount, l.fixed_freeze,
        case when l.releases > 0 then 'released' when l.charges > 0 then 'charged' else 'open' end)
      or l.releases > 1 or l.charges > 1 or (l.releases > 0 and (l.released <> l.opened or l.charged <> 0)) or (l.releases = 0 and l.charges > 0 and l.charged <> l.opened)
  union all select 'I5', 'parcel ' || express_id, array_agg(distinct station_id), format('%s first charges', sum(charges)) from lives group by express_id having sum(charges) > 1;
end $$;

-- I2 and I3 of all stations as they are now: the money that a station shows equals its last
-- statement and its entries, and its held money equals its open holds. The sum of its entries is
-- the money of its mark in `marks` plus its amounts in `sums`, an object of [amount, frozen amount]
-- by station.
create or replace function ledger_station_proof(marks ledger_checkpoints[], sums jsonb) returns table (invariant text, subject text, stations bigint[], detail text)
  language sql stable set search_path = public, pg_temp as $$
  with shown as materialized (
    select s.id, s.money, s."freeze", coalesce(k.money, 0) + coalesce((sums -> s.id::text ->> 0)::numeric, 0) as entries_money,
      coalesce(k."freeze", 0) + coalesce((sums -> s.id::text ->> 1)::numeric, 0) as entries_freeze,
      coalesce(l.balance, 0) as last_money, coalesce(l.balance - l.available - l.fixed_freeze, 0) as last_freeze
    from (select id, money, "freeze" from stations union all select 0, 0, 0) s left join unnest(marks) k on k.station_id = s.id
      left join lateral (select * from statements l where l.station_id = s.id and l.seq is not null order by l.seq desc limit 1) l on true
  ), held as (
    select station_id, sum(amount) as amount from ledger_holds where status = 'open' group by 1
  )
  select 'I2', 'station ' || id, array[id], format('shows money %s, frozen %s; its entries come to %s, %s, its last statement to %s, %s',
      money, "freeze", entries_money, entries_freeze, last_money, last_freeze)
    from shown where (money, "freeze") is distinct from (entries_money, entries_freeze) or (money, "freeze") is distinct from (last_money, last_freeze)
  union all select 'I3', 'station ' || s.id, array[s.id], format('frozen %s, open holds %s', s."freeze", coalesce(h.amount, 0))
    from shown s left join held h on h.station_id = s.id where s."freeze" <> coalesce(h.amount, 0)
  -- I8 of requests, which have no transfer.
  union all select 'I8', 'statement ' || s.id, array[s.station_id], 'its hash does not fit its content' from statements s
    where s.transfer_id is null and (s.seq is not null or s.hash is distinct from ledger_statement_hash(ledger_statement_text(s.*), s.status, s.updated_at))
$$;
