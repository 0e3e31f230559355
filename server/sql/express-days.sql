-- Parcels by business day, as signed steps; the Workplace shows them.

create or replace function business_day(at timestamptz) returns date language sql immutable as $$ select (at at time zone 'Asia/Shanghai')::date $$;

-- Counters that a move from one state to another increases. expressArrivals in
-- contract/src/parcels/express.ts has the same list.
create or replace function express_arrivals(from_code smallint, to_code smallint) returns setof text language sql immutable as $$
  select what from (values ('draft', '{0}'::smallint[]), ('on_hold', '{10}'), ('failed', '{90}'), ('exception', '{400}'), ('awaiting_pickup', '{100}'),
    ('in_transit', '{200,210,220,400,410}'), ('signed_for', '{300}')) arrivals (what, codes)
  where to_code = any (codes) and coalesce(from_code, -1) <> all (codes)
$$;

create or replace function express_day_ordered() returns trigger language plpgsql as $$
begin
  insert into express_days (day, station_id, user_id, what, n)
    values (business_day(new.created_at), new.station_id, new.user_id, 'ordered', case when new.delivery_id is null then -1 else 1 end);
  return null;
end $$;

create or replace trigger express_days_insert after insert on expresses for each row when (new.delivery_id is not null) execute function express_day_ordered();
create or replace trigger express_days_update after update of delivery_id on expresses for each row when ((old.delivery_id is null) <> (new.delivery_id is null))
  execute function express_day_ordered();

-- Counts a parcel at most once a day in each counter. The lock of the parcel orders its moves.
create or replace function express_day_moved() returns trigger language plpgsql as $$
begin
  insert into express_days (day, station_id, user_id, what, n)
    select business_day(new.at), e.station_id, e.user_id, a.what, 1
    from express_arrivals(new.from_code, new.to_code) a (what), expresses e
    where e.id = new.express_id and not exists (select 1 from express_moves m, express_arrivals(m.from_code, m.to_code) b (what)
      where m.express_id = new.express_id and m.id < new.id and b.what = a.what and business_day(m.at) = business_day(new.at));
  return null;
end $$;

-- State 20 (ordering) is in no counter.
create or replace trigger express_days_moved after insert on express_moves for each row when (new.to_code <> 20) execute function express_day_moved();
