-- Computes each station's hash chain over the transfers that touch the station, with a running aggregate that hashes like the product.
create function scale.chain_next(state bytea, station bigint, seq bigint, hash bytea) returns bytea language sql immutable as
  $$ select sha256(state || int8send(station) || int8send(seq) || hash) $$;
create aggregate scale.chain_hash(bigint, bigint, bytea) (sfunc = scale.chain_next, stype = bytea, initcond = '');
insert into ledger_chain (station_id, seq, transfer_id, hash)
select station_id, seq, transfer_id, scale.chain_hash(station_id, seq, hash) over (partition by station_id order by seq) from (
  select x.station_id, row_number() over (partition by x.station_id order by x.transfer_id) as seq, x.transfer_id, t.hash
  from (select station_id, transfer_id from scale.line union all select station_id, id from scale.transfer where kind = 'carrier_fee') x join ledger_transfers t on t.id = x.transfer_id) numbered;
insert into ledger_days (day, station_id, earner_id, what, n, amount, fresh)
select business_day(t.at), coalesce(t.station_id, 0), r.earner_id, r.what, sum(r.n), sum(r.amount), false
from ledger_transfers t join ledger_entries e on e.transfer_id = t.id, ledger_day_rows(e, t) r where t.id >= (select min(id) from scale.transfer) group by 1, 2, 3, 4;
insert into ledger_day_sums (what, day, n, amount)
select what, day, sum(n), sum(amount) from ledger_days where not fresh and what <> 'profit' group by 1, 2
on conflict (what, day) do update set n = excluded.n, amount = excluded.amount;
select ledger_roll_days();
