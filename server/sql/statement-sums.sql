-- Sums of statements by month, day and type, of each station and of all stations (station 0);
-- docs/decisions/0039.

alter table statement_months enable row level security;
alter table statement_months force row level security;
drop policy if exists statement_months_scope on statement_months;
create policy statement_months_scope on statement_months
  using ((select scope_all()) or (station_id = any ((select scope_stations())::bigint[]) and (select scope_account()) is null));

alter table statement_days enable row level security;
alter table statement_days force row level security;
drop policy if exists statement_days_scope on statement_days;
create policy statement_days_scope on statement_days
  using ((select scope_all()) or (station_id = any ((select scope_stations())::bigint[]) and (select scope_account()) is null));

alter table statement_rolled enable row level security;
alter table statement_rolled force row level security;
drop policy if exists statement_rolled_scope on statement_rolled;
create policy statement_rolled_scope on statement_rolled
  using ((select scope_all()) or (station_id = any ((select scope_stations())::bigint[]) and (select scope_account()) is null));

revoke all on statement_months, statement_days, statement_rolled from {{app_role}};
grant select on statement_months, statement_days, statement_rolled to {{app_role}};

-- Adds the statements after statement_rolled to the sums and moves that mark, in one statement: a
-- reader's snapshot has each of them once, in the sums or after the mark. The numbers of a
-- station's statements have no gap and are assigned under the station's lock, so none appears later
-- below the mark. Adds at most 20,000 statements of a station and about 200,000 in all, and returns
-- how many it added.
create or replace function statement_roll_up() returns bigint language plpgsql security definer set search_path = public, pg_temp as $$
declare
  scope text := current_setting('waystation.scope', true);
  added bigint;
begin
  perform pg_advisory_xact_lock(hashtextextended('statement_sums', 0));
  perform set_config('waystation.scope', 'all', true);
  with reached as (
    select n.id as station_id, coalesce(r.seq, 0) as seq, least(l.seq, coalesce(r.seq, 0) + 20000) as upto
    from stations n left join statement_rolled r on r.station_id = n.id
      cross join lateral (select l.seq from statements l where l.station_id = n.id and l.seq is not null order by l.seq desc limit 1) l
    where l.seq > coalesce(r.seq, 0)
  ), chosen as materialized (
    select c.station_id, c.seq, c.upto from (select r.*, sum(r.upto - r.seq) over (order by r.station_id) as total from reached r) c where c.total - (c.upto - c.seq) < 200000
  ), lines as materialized (
    select l.* from chosen c cross join lateral (select s.station_id, s.period, s.type::text as type, business_day(s.posted_at) as day, s.amount, s.freeze_amount, s.seq,
        s.transfer_id from statements s where s.station_id = c.station_id and s.seq > c.seq and s.seq <= c.upto offset 0) l
  ), moved as (
    insert into statement_rolled as r (station_id, seq) select station_id, upto from chosen order by station_id on conflict (station_id) do update set seq = excluded.seq
  ), months as (
    insert into statement_months as m (station_id, period, type, n, "in", "out", freeze_amount, first_seq, first_transfer, last_transfer)
      select p.station_id, p.period, l.type, count(*), coalesce(sum(l.amount) filter (where l.amount > 0), 0), coalesce(-sum(l.amount) filter (where l.amount < 0), 0),
        sum(l.freeze_amount), min(l.seq), min(l.transfer_id), max(l.transfer_id)
      from lines l cross join lateral (values (l.station_id, l.period), (l.station_id, ''), (0, l.period), (0, '')) p (station_id, period)
      group by 1, 2, 3 order by 1, 2, 3
    on conflict (station_id, period, type) do update set n = m.n + excluded.n, "in" = m."in" + excluded."in", "out" = m."out" + excluded."out",
      freeze_amount = m.freeze_amount + excluded.freeze_amount, first_seq = least(m.first_seq, excluded.first_seq),
      first_transfer = least(m.first_transfer, excluded.first_transfer), last_transfer = greatest(m.last_transfer, excluded.last_transfer)
  ), days as (
    insert into statement_days as d (station_id, day, type, n, "in", "out", freeze_amount)
      select p.station_id, l.day, l.type, count(*), coalesce(sum(l.amount) filter (where l.amount > 0), 0), coalesce(-sum(l.amount) filter (where l.amount < 0), 0),
        sum(l.freeze_amount)
      from lines l cross join lateral (values (l.station_id), (0)) p (station_id) group by 1, 2, 3 order by 1, 2, 3
    on conflict (station_id, day, type) do update set n = d.n + excluded.n, "in" = d."in" + excluded."in", "out" = d."out" + excluded."out",
      freeze_amount = d.freeze_amount + excluded.freeze_amount
  )
  select coalesce(sum(upto - seq), 0) into added from chosen;
  perform set_config('waystation.scope', coalesce(scope, ''), true);
  return added;
end $$;

-- I13, of all stations: the sums of a station equal the balances of its last added statement. Its
-- months and days add up to the station, and the stations to station 0.
create or replace function statement_sums_proof() returns table (invariant text, subject text, stations bigint[], detail text)
  language plpgsql stable set search_path = public, pg_temp as $$
#variable_conflict use_column
begin
  return query
  with months as materialized (
    select station_id, period, sum(n) as n, sum("in") as "in", sum("out") as "out", sum(freeze_amount) as freeze_amount from statement_months group by 1, 2
  ), totals as materialized (
    select station_id, n, "in", "out", freeze_amount from months where period = ''
  )
  select 'I13', 'station ' || coalesce(t.station_id, r.station_id), null::bigint[], format('sums of %s lines, %s, frozen %s; line %s has %s, frozen %s',
      coalesce(t.n, 0), coalesce(t."in" - t."out", 0), coalesce(t.freeze_amount, 0), coalesce(r.seq, 0), coalesce(l.balance, 0), coalesce(l.frozen, 0))
    from (select * from totals where station_id <> 0) t full join statement_rolled r on r.station_id = t.station_id
      left join lateral (select s.balance, s.balance - s.available - s.fixed_freeze as frozen from statements s where s.station_id = r.station_id and s.seq = r.seq) l on true
    where (coalesce(t.n, 0), coalesce(t."in" - t."out", 0), coalesce(t.freeze_amount, 0)) is distinct from (coalesce(r.seq, 0), coalesce(l.balance, 0), coalesce(l.frozen, 0))
  union all select 'I13', format('%s of station %s', kind, coalesce(p.station_id, t.station_id)), null, format('come to %s, %s in, %s out, the station to %s, %s, %s', p.n, p."in", p."out", t.n, t."in", t."out")
    from (select 'months' as kind, station_id, sum(n) as n, sum("in") as "in", sum("out") as "out", sum(freeze_amount) as freeze_amount from months where period <> '' group by 2
        union all select 'days', station_id, sum(n), sum("in"), sum("out"), sum(freeze_amount) from statement_days group by 2) p
      full join (select k.kind, t.* from totals t cross join (values ('months'), ('days')) k (kind)) t using (kind, station_id)
    where (p.n, p."in", p."out", p.freeze_amount) is distinct from (t.n, t."in", t."out", t.freeze_amount)
  union all select 'I13', 'all stations in ' || coalesce(a.period, s.period), null, format('come to %s, their sum shows %s', s."in" - s."out", a."in" - a."out")
    from (select * from months where station_id = 0) a
      full join (select period, sum(n) as n, sum("in") as "in", sum("out") as "out", sum(freeze_amount) as freeze_amount from months where station_id <> 0 group by 1) s using (period)
    where (a.n, a."in", a."out", a.freeze_amount) is distinct from (s.n, s."in", s."out", s.freeze_amount);
end $$;

-- I13, of the stations after `above` and up to `upto`: their sums equal the sums of their
-- statements.
create or replace function statement_line_sums_proof(above bigint, upto bigint) returns table (invariant text, subject text, stations bigint[], detail text)
  language plpgsql stable set search_path = public, pg_temp as $$
#variable_conflict use_column
begin
  return query
  with lined as materialized (
    select l.* from statement_rolled r cross join lateral (select s.station_id, s.period, business_day(s.posted_at) as day, s.type::text as type, count(*) as n,
        coalesce(sum(s.amount) filter (where s.amount > 0), 0) as "in", coalesce(-sum(s.amount) filter (where s.amount < 0), 0) as "out", sum(s.freeze_amount) as freeze_amount,
        min(s.seq) as first_seq, min(s.transfer_id) as first_transfer, max(s.transfer_id) as last_transfer
      from statements s where s.station_id = r.station_id and s.seq <= r.seq group by 1, 2, 3, 4 offset 0) l
    where r.station_id > above and r.station_id <= upto
  )
  select 'I13', format('station %s, %s of %s', station_id, type, case period when '' then 'all months' else period end), null::bigint[],
      format('sums of %s lines, %s in, %s out, frozen %s; lines come to %s, %s, %s, %s', m.n, m."in", m."out", m.freeze_amount, l.n, l."in", l."out", l.freeze_amount)
    from (select station_id, period, type, sum(n) as n, sum("in") as "in", sum("out") as "out", sum(freeze_amount) as freeze_amount, min(first_seq) as first_seq,
        min(first_transfer) as first_transfer, max(last_transfer) as last_transfer from statement_months where station_id > above and station_id <= upto group by 1, 2, 3) m
      full join (select station_id, p.period, type, sum(n) as n, sum("in") as "in", sum("out") as "out", sum(freeze_amount) as freeze_amount, min(first_seq) as first_seq,
        min(first_transfer) as first_transfer, max(last_transfer) as last_transfer from lined l cross join lateral (values (l.period), ('')) p (period) group by 1, 2, 3) l
      using (station_id, period, type)
    where (m.n, m."in", m."out", m.freeze_amount, m.first_seq, m.first_transfer, m.last_transfer)
      is distinct from (l.n, l."in", l."out", l.freeze_amount, l.first_seq, l.first_transfer, l.last_transfer)
  union all select 'I13', format('station %s, %s on %s', station_id, type, day), null,
      format('sums of %s lines, %s in, %s out, frozen %s; lines come to %s, %s, %s, %s', d.n, d."in", d."out", d.freeze_amount, l.n, l."in", l."out", l.freeze_amount)
    from (select station_id, day, type, sum(n) as n, sum("in") as "in", sum("out") as "out", sum(freeze_amount) as freeze_amount
        from statement_days where station_id > above and station_id <= upto group by 1, 2, 3) d
      full join (select station_id, day, type, sum(n) as n, sum("in") as "in", sum("out") as "out", sum(freeze_amount) as freeze_amount from lined group by 1, 2, 3) l using (station_id, day, type)
    where (d.n, d."in", d."out", d.freeze_amount) is distinct from (l.n, l."in", l."out", l.freeze_amount);
end $$;

-- I13, of station 0: its sums equal those of all stations, by type.
create or replace function statement_network_sums_proof() returns table (invariant text, subject text, stations bigint[], detail text)
  language plpgsql stable set search_path = public, pg_temp as $$
#variable_conflict use_column
begin
  return query
  with kept as (
    select station_id <> 0 as each, period, null::date as day, type, n, "in", "out", freeze_amount from statement_months
    union all select station_id <> 0, null, day, type, n, "in", "out", freeze_amount from statement_days
  )
  select 'I13', format('all stations, %s in %s', type, coalesce(day::text, case period when '' then 'all months' else period end)), null::bigint[], 'is not the sum of the stations'
    from kept group by period, day, type
    having (sum(n) filter (where each), sum("in") filter (where each), sum("out") filter (where each), sum(freeze_amount) filter (where each))
      is distinct from (sum(n) filter (where not each), sum("in") filter (where not each), sum("out") filter (where not each), sum(freeze_amount) filter (where not each));
end $$;

revoke execute on function statement_roll_up() from public;
grant execute on function statement_roll_up() to {{app_role}};
