-- The proof (docs/ledger.md): one statement over the stored rows, whole or from each station's last checkpoint on.

-- What does not hold: invariant, subject, the stations concerned, why. One row more, without an invariant, counts the entries looked at.
create or replace function ledger_proof(whole boolean) returns table (invariant text, subject text, stations bigint[], detail text)
  language plpgsql stable set search_path = public, pg_temp set jit = off as $$
#variable_conflict use_column
begin
  return query
  with heads as materialized (
    select s.id as station_id, s.money, s."freeze", coalesce(c.chain_seq, 0) as chain_seq, coalesce(c.chain_hash, '') as chain_hash, coalesce(c.seq, 0) as seq,
      coalesce(c.money, 0) as proved_money, coalesce(c."freeze", 0) as proved_freeze
    from (select id, money, "freeze" from stations union all select 0, 0, 0) s left join ledger_checkpoints c on c.station_id = s.id and not whole
  ), links as materialized (
    select c.station_id, c.seq, c.transfer_id, c.hash, lag(c.seq, 1, h.chain_seq) over w as seq_before, lag(c.hash, 1, h.chain_hash) over w as hash_before
    from heads h join ledger_chain c on c.station_id = h.station_id and c.seq > h.chain_seq
    window w as (partition by c.station_id order by c.seq)
  ), work as materialized (
    select id from ledger_transfers where whole
    union select transfer_id from links
    union select t.id from ledger_transfers t where t.station_id is null and not exists (select 1 from ledger_chain c where c.transfer_id = t.id)
  ), entered as materialized (
    select e.transfer_id, count(*) as n, sum(e.amount) as total, array_agg(e order by e.no) as entries
    from work w join ledger_entries e on e.transfer_id = w.id group by 1
  ), lined as materialized (
    select s.transfer_id, array_agg(s order by s.id) as lines from work w join statements s on s.transfer_id = w.id group by 1
  ), moved as materialized (
    select e.transfer_id, e.station_id, sum(e.amount) as amount, coalesce(sum(e.amount) filter (where e.account = 'holds'), 0) as freeze_amount,
      min(e.seq) as seq, max(e.seq) as last_seq, max(e.balance) filter (where e.account = 'wallet') as wallet, max(e.balance) filter (where e.account = 'holds') as holds
    from work w join ledger_entries e on e.transfer_id = w.id where e.station_id is not null group by 1, 2
  ), checked as materialized (
    select t.*, coalesce(e.n, 0) as n, e.total, e.entries, coalesce(l.lines, '{}') as lines, m.touched, c.linked
    from work w join ledger_transfers t on t.id = w.id left join entered e on e.transfer_id = t.id left join lined l on l.transfer_id = t.id
      left join (select transfer_id, array_agg(station_id order by station_id) as touched from moved group by 1) m on m.transfer_id = t.id
      left join (select c.transfer_id, array_agg(c.station_id order by c.station_id) as linked from work w join ledger_chain c on c.transfer_id = w.id group by 1) c on c.transfer_id = t.id
  ), ran as materialized (
    select s.*, s.balance - s.available - s.fixed_freeze as frozen, lag(s.seq, 1, h.seq) over w as seq_before, lag(s.balance, 1, h.proved_money) over w as balance_before,
      lag(s.balance - s.available - s.fixed_freeze, 1, h.proved_freeze) over w as frozen_before
    from heads h join statements s on s.station_id = h.station_id and s.seq > h.seq window w as (partition by s.station_id order by s.seq)
  ), parcels as materialized (
    select express_id from checked where express_id is not null union select express_id from ledger_holds where whole
  ), lives as materialized (
    select t.express_id, t.attempt, min(t.station_id) as station_id,
      sum(s.freeze_amount) filter (where t.kind = 'hold') as opened,
      count(*) filter (where t.kind = 'release') as releases, -sum(s.freeze_amount) filter (where t.kind = 'release') as released,
      count(*) filter (where t.kind = 'charge') as charges, coalesce(-sum(s.freeze_amount) filter (where t.kind = 'charge'), 0) as charged,
      sum(s.pre_amount) filter (where t.kind = 'hold') as pre_amount, sum(s.discount_amount) filter (where t.kind = 'hold') as discount_amount,
      sum(s.guarantee_amount) filter (where t.kind = 'hold') as guarantee_amount, (array_agg(s.discount order by s.seq desc) filter (where t.kind = 'hold'))[1] as discount,
      (array_agg(s.has_amount order by s.seq) filter (where t.kind = 'hold'))[1] as has_amount,
      (array_agg(s.fixed_freeze order by s.seq) filter (where t.kind = 'hold'))[1] as fixed_freeze
    from parcels p join ledger_transfers t on t.express_id = p.express_id and t.kind in ('hold', 'release', 'charge')
      left join statements s on s.transfer_id = t.id and s.station_id = t.station_id group by 1, 2
  )
  select null, 'checked', null::bigint[], coalesce(sum(n), 0)::text from checked
  -- I1: every transfer sums to zero, and so do all accounts.
  union all select 'I1', 'transfer ' || id, touched, format('%s entries sum to %s', n, total) from checked where n < 2 or total is distinct from 0
  union all select 'I1', 'ledger', null, format('all accounts sum to %s', total) from (
      select sum(total) as total from (select sum(amount) as total from ledger_entries where whole union all select sum(total) from entered where not whole) sums) ledger
    where total <> 0
  -- I2: statements equal their entries, run without a gap, and come to what the station shows.
  union all select 'I2', format('transfer %s', coalesce(s.transfer_id, m.transfer_id)), array[coalesce(s.station_id, m.station_id)],
      format('station %s: statement %s, entries %s', coalesce(s.station_id, m.station_id), row(s.amount, s.freeze_amount, s.balance, s.available), row(m.amount, m.freeze_amount, m.wallet, m.holds))
    from (select s.*, s.balance - s.available - s.fixed_freeze as frozen, t.at, t.period as in_period from checked t cross join unnest(t.lines) s) s
      full join moved m on m.transfer_id = s.transfer_id and m.station_id = s.station_id
    where (s.amount, s.freeze_amount, s.seq, s.seq) is distinct from (m.amount, m.freeze_amount, m.seq, m.last_seq)
      or (coalesce(m.wallet, s.balance - s.frozen), coalesce(m.holds, s.frozen)) is distinct from (s.balance - s.frozen, s.frozen)
      or (s.posted_at, s.period) is distinct from (s.at, s.in_period) or s.status not in ('posted', 'reversed')
  union all select 'I2', 'statement ' || id, array[station_id], format('seq %s after %s, money %s after %s with %s, frozen %s after %s with %s',
      seq, seq_before, balance, balance_before, amount, frozen, frozen_before, freeze_amount)
    from ran where (seq, balance, frozen) is distinct from (seq_before + 1, balance_before + amount, frozen_before + freeze_amount) or frozen < 0
  union all select 'I2', 'station ' || h.station_id, array[h.station_id], format('shows money %s, frozen %s; its entries come to %s, %s, its last statement to %s, %s',
      h.money, h."freeze", h.proved_money + coalesce(e.amount, 0), h.proved_freeze + coalesce(e.freeze_amount, 0), l.balance, l.frozen)
    from heads h
      left join (select k.station_id, sum(m.amount) as amount, sum(m.freeze_amount) as freeze_amount
        from links k join moved m on m.transfer_id = k.transfer_id and m.station_id = k.station_id group by 1) e on e.station_id = h.station_id
      left join (select distinct on (station_id) station_id, balance, frozen from ran order by station_id, seq desc) l on l.station_id = h.station_id
    where (h.money, h."freeze") is distinct from (h.proved_money + coalesce(e.amount, 0), h.proved_freeze + coalesce(e.freeze_amount, 0))
      or (h.money, h."freeze") is distinct from (coalesce(l.balance, h.proved_money), coalesce(l.frozen, h.proved_freeze))
  union all select 'I2', 'statement ' || s.id, array[s.station_id], format('%s, but %s', s.status, case when r.id is null then 'its parcel is not reversed' else 'its parcel is reversed' end)
    from checked t cross join unnest(t.lines) s
      left join ledger_transfers p on p.express_id = s.express_id and p.kind = 'reversal' and p.id > t.id and s.type in ('charge', 'reweigh', 'surcharge', 'refund', 'profit')
      left join statements q on s.type = 'top_up' and q.reverses_id = s.id and q.transfer_id is not null
      left join ledger_transfers b on b.id = q.transfer_id and q.amount = -s.amount
      cross join lateral (select coalesce(p.id, b.id) as id, coalesce(p.at, b.at) as at) r
    where (s.status = 'reversed') <> (r.id is not null) or s.updated_at <> coalesce(r.at, t.at)
  -- I3: every hold ends once, and what is frozen are the open holds.
  union all select 'I3', format('hold %s, attempt %s', coalesce(h.express_id, l.express_id), coalesce(h.attempt, l.attempt)), array[coalesce(l.station_id, h.station_id)],
      format('is %s with %s; held %s, released %s times, charged %s times', h.status, h.amount, l.opened, l.releases, l.charges)
    from (select h.* from ledger_holds h join parcels p on p.express_id = h.express_id) h full join lives l on l.express_id = h.express_id and l.attempt = h.attempt
    where (h.station_id, h.amount, h.pre_amount, h.discount, h.discount_amount, h.guarantee_amount, h.has_amount, h.fixed_freeze, h.status::text)
      is distinct from (l.station_id, l.opened, l.pre_amount, l.discount, l.discount_amount, l.guarantee_amount, l.has_amount, l.fixed_freeze,
        case when l.releases > 0 then 'released' when l.charges > 0 then 'charged' else 'open' end)
      or l.releases > 1 or l.charges > 1 or (l.releases > 0 and (l.released <> l.opened or l.charged <> 0)) or (l.releases = 0 and l.charges > 0 and l.charged <> l.opened)
  union all select 'I3', 'station ' || h.station_id, array[h.station_id], format('frozen %s, open holds %s', h."freeze", coalesce(o.amount, 0))
    from heads h left join (select station_id, sum(amount) as amount from ledger_holds where status = 'open' group by 1) o on o.station_id = h.station_id
    where h."freeze" <> coalesce(o.amount, 0)
  -- I4: no withdrawal, and no hold of a station with the balance check, above what was available.
  union all select 'I4', 'statement ' || id, array[station_id], format('%s of %s left %s available', type, greatest(-amount, freeze_amount), available)
    from ran where available < 0 and (type = 'withdrawal' or (type = 'hold' and freeze_amount > 0 and has_amount = 1))
  -- I5: one first charge a parcel.
  union all select 'I5', 'parcel ' || p.express_id, array_agg(distinct t.station_id), format('%s first charges', count(*))
    from parcels p join ledger_transfers t on t.express_id = p.express_id and t.kind = 'charge' group by p.express_id having count(*) > 1
  -- I8: hashes and chains.
  union all select 'I8', 'transfer ' || id, coalesce(touched, array[station_id]), 'its hash does not fit its content'
    from checked where hash is distinct from ledger_transfer_hash(row(id, kind, cause, content, station_id, express_id, attempt, account_id, at, period, hash, version_hash, null)::ledger_transfers, coalesce(entries, '{}'), lines)
  union all select 'I8', 'statement ' || s.id, array[s.station_id], 'its hash does not fit its content'
    from (select s.* from checked t cross join unnest(t.lines) s union all select * from statements where transfer_id is null) s
    where s.hash is distinct from ledger_statement_hash(ledger_statement_text(s.*), s.status, s.updated_at)
  union all select 'I8', format('chain %s link %s', l.station_id, l.seq), array[l.station_id], 'does not follow from the link before and its transfer'
    from links l left join ledger_transfers t on t.id = l.transfer_id
    where l.seq <> l.seq_before + 1 or l.hash is distinct from ledger_chain_hash(l.hash_before, l.station_id, l.seq, t.hash)
  union all select 'I8', 'transfer ' || id, coalesce(touched, array[station_id]), format('touches %s, linked in %s', coalesce(touched, array[station_id]), linked)
    from checked where case when touched is null and station_id is null then coalesce(linked, '{0}') <> '{0}' else linked is distinct from coalesce(touched, array[station_id]) end
  union all select 'I8', 'transfer ' || o.transfer_id, array[o.station_id], 'is gone, its rows are not'
    from (select transfer_id, station_id from ledger_entries where whole union select transfer_id, station_id from statements where whole and transfer_id is not null
      union select transfer_id, station_id from ledger_chain where whole) o
    where not exists (select 1 from ledger_transfers t where t.id = o.transfer_id);
end $$;
