-- Signed steps of parcels by day: uses of each template, carrier account, region of a template,
-- insurance tier, goods and delivery time. Screens show the uses of thirty days and how often
-- delivery times were met, in all (express_uses) and by station on each lane (express_lanes).

-- Counts over all stations; only the office sees them.
alter table express_uses enable row level security;
alter table express_uses force row level security;
drop policy if exists express_uses_scope on express_uses;
create policy express_uses_scope on express_uses for select using ((select scope_all()));
-- A transaction that creates an order has the scope of a clerk. It may add steps but read none.
drop policy if exists express_uses_add on express_uses;
create policy express_uses_add on express_uses for insert with check (fresh or (select scope_all()));
drop policy if exists express_uses_roll on express_uses;
create policy express_uses_roll on express_uses for delete using ((select scope_all()));

revoke all on express_uses from {{app_role}};
grant select, insert on express_uses to {{app_role}};

-- The key of a region of a template: the template's id and the six digits of the region's code. The
-- remainder of the id fits a bigint with them, even for the ids of an installation with a high number
-- (numbers.sql).
create or replace function area_use_key(voucher_id bigint, area bigint) returns bigint language sql immutable as
  $$ select voucher_id % 9000000000000 * 1000000 + area $$;

-- What a parcel uses: its template, its carrier account, the region of the template that priced it,
-- and the insurance tier, named by the value that the tier insures.
create or replace function express_use_keys(voucher_id bigint, merchant_id bigint, lines jsonb) returns table (what text, of_id bigint) language sql immutable as $$
  select 'voucher', voucher_id where voucher_id is not null
  union all select 'merchant', merchant_id where merchant_id is not null
  union all select case l ->> 'rule' when 'first' then 'area' else 'guarantee' end, case l ->> 'rule'
      when 'first' then area_use_key((l #>> '{input,voucher_id}')::bigint, (l #>> '{input,area}')::bigint) else (l #>> '{input,tier_amount}')::bigint end
    from jsonb_array_elements(lines) l where l ->> 'rule' in ('first', 'guarantee')
$$;

-- Goods are counted by name: a parcel keeps the name of its order even if the goods are renamed.
create or replace function express_goods_key(provider text, goods text) returns bigint language sql immutable as $$
  select hashtextextended(provider || ' ' || goods, 0)
$$;

create or replace function express_uses_of(e expresses) returns table (what text, of_id bigint) language sql immutable as $$
  select k.what, k.of_id from express_use_keys(e.voucher_id, e.merchant_id, e.price_lines) k
  union all select 'goods', express_goods_key(e.provider, e.goods) where e.goods <> ''
$$;

create or replace function express_use_step() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into express_uses (what, of_id, day, n)
      select k.what, k.of_id, business_day(new.created_at), 1 from express_uses_of(new) k;
  else
    insert into express_uses (what, of_id, day, n)
      select k.what, k.of_id, business_day(new.created_at), sum(k.n)
      from (select what, of_id, 1 as n from express_uses_of(new)
        union all select what, of_id, -1 from express_uses_of(old)) k
      group by 1, 2 having sum(k.n) <> 0;
  end if;
  return null;
end $$;

-- Whether the carrier's promise for a parcel counts: the carrier has accepted the parcel, and it is
-- not cancelled.
create or replace function is_promise_counted(state_code smallint) returns boolean language sql immutable as $$ select state_code >= 100 and state_code < 500 $$;

-- Steps that a parcel adds to its delivery-time option. On the day it was made: one parcel. On the
-- day of the signature: one signature and its minutes. On the day of the carrier's promise: one
-- promise, and whether it was met. Late, returned and lost parcels do not meet it; a cancelled
-- parcel has no promise.
create or replace function express_promise_uses(e expresses) returns table (what text, of_id bigint, day date, n bigint) language sql stable as $$
  select u.what, p.id, u.day, u.n from promises p cross join lateral (
    select 'promise' as what, business_day(e.created_at) as day, 1::bigint as n
    union all select 'signed', business_day(e.signed_at), 1 where e.signed_at is not null and e.ordered_at is not null
    union all select 'signed_minutes', business_day(e.signed_at), round(extract(epoch from e.signed_at - e.ordered_at) / 60)::bigint
      where e.signed_at is not null and e.ordered_at is not null
    union all select 'due', business_day(e.promised_at), 1 where e.promised_at is not null and is_promise_counted(e.state_code)
    union all select 'on_time', business_day(e.promised_at), 1 where e.state_code = 300 and e.signed_at <= e.promised_at) u
  where p.provider = e.provider and p.promise_id = e.promise_id
$$;

-- Whether the lane of a parcel is not added up for the first time yet. Changes of such a parcel add
-- no step, because express_lane_fill_slice will read its newest state. That function locks its
-- parcels, so a change either precedes it or finds the parcel filled.
create or replace function express_lane_is_unfilled(parcel bigint) returns boolean language sql volatile as $$
  select exists (select from express_lane_fill where upto_id >= parcel)
$$;

create or replace function express_promise_step() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' and new.signed_at is null and new.promised_at is null then
    insert into express_uses (what, of_id, day, n)
      select 'promise', p.id, business_day(new.created_at), 1 from promises p where p.provider = new.provider and p.promise_id = new.promise_id;
  elsif tg_op = 'INSERT' then
    insert into express_uses (what, of_id, day, n) select k.what, k.of_id, k.day, k.n from express_promise_uses(new) k
      where k.n <> 0 and not (k.what in ('due', 'on_time') and express_lane_is_unfilled(new.id));
  else
    insert into express_uses (what, of_id, day, n)
      select k.what, k.of_id, k.day, sum(k.n)
      from (select * from express_promise_uses(new) union all select x.what, x.of_id, x.day, -x.n from express_promise_uses(old) x) k
      group by 1, 2, 3 having sum(k.n) <> 0 and not (k.what in ('due', 'on_time') and express_lane_is_unfilled(new.id));
  end if;
  return null;
end $$;

create or replace trigger express_promises_insert after insert on expresses for each row when (new.promise_id <> '') execute function express_promise_step();
create or replace trigger express_promises_update after update of promise_id, signed_at, ordered_at, promised_at, state_code on expresses for each row
  when (old.promise_id <> new.promise_id or (coalesce(old.signed_at, new.signed_at, old.promised_at, new.promised_at) is not null
    and (old.signed_at, old.ordered_at, old.promised_at, old.state_code = 300, is_promise_counted(old.state_code))
    is distinct from (new.signed_at, new.ordered_at, new.promised_at, new.state_code = 300, is_promise_counted(new.state_code))))
  execute function express_promise_step();

-- Lanes of all stations, which only the system reads. lanesOf in domain/express/lanes.ts makes the
-- summary that each station may see.
alter table express_lanes enable row level security;
alter table express_lanes force row level security;
drop policy if exists express_lanes_scope on express_lanes;
create policy express_lanes_scope on express_lanes for select using ((select scope_all()));
drop policy if exists express_lanes_add on express_lanes;
create policy express_lanes_add on express_lanes for insert with check (fresh or (select scope_all()));
drop policy if exists express_lanes_roll on express_lanes;
create policy express_lanes_roll on express_lanes for delete using ((select scope_all()));

revoke all on express_lanes from {{app_role}};
grant select, insert on express_lanes to {{app_role}};

-- A lane of a product, by its names: from the sender's city to the receiver's province.
create or replace function express_lane_key(provider text, promise_id text, sender_city text, receive_province text) returns bigint language sql immutable as $$
  select hashtextextended(provider || ' ' || promise_id || ' ' || sender_city || ' ' || receive_province, 0)
$$;

-- Steps that a parcel adds to its lane. On the day of the signature: one delivery and its minutes.
-- On the day of the carrier's promise: one promise, and whether it was met. Once a day is over, all
-- promises of that day can be judged.
create or replace function express_station_lanes(e expresses) returns table (station_id bigint, lane bigint, day date, signed bigint, minutes bigint, due bigint, on_time bigint)
  language sql stable as $$
  select e.station_id, express_lane_key(e.provider, e.promise_id, e.sender_city, e.receive_province), u.*
  from (select business_day(e.signed_at) as day, 1::bigint as signed, round(extract(epoch from e.signed_at - e.ordered_at) / 60)::bigint as minutes, 0::bigint as due,
      0::bigint as on_time where e.state_code = 300 and e.signed_at is not null and e.ordered_at is not null
    union all select business_day(e.promised_at), 0, 0, 1, coalesce(e.state_code = 300 and e.signed_at <= e.promised_at, false)::integer
      where e.promised_at is not null and is_promise_counted(e.state_code)) u
  where e.promise_id <> ''
$$;

-- The function of the lanes before migration 0104, which nothing calls any more.
drop function if exists express_lane_uses(expresses);

-- The first day whose lanes are kept. Screens show thirty days.
create or replace function first_lane_day() returns date language sql stable as $$ select business_day(now()) - 60 $$;

create or replace function express_lane_step() returns trigger language plpgsql as $$
begin
  if express_lane_is_unfilled(new.id) then
    return null;
  end if;
  if tg_op = 'INSERT' then
    insert into express_lanes (station_id, lane, day, signed, minutes, due, on_time) select k.* from express_station_lanes(new) k;
  else
    insert into express_lanes (station_id, lane, day, signed, minutes, due, on_time)
      select k.station_id, k.lane, k.day, sum(k.signed), sum(k.minutes), sum(k.due), sum(k.on_time)
      from (select * from express_station_lanes(new)
        union all select x.station_id, x.lane, x.day, -x.signed, -x.minutes, -x.due, -x.on_time from express_station_lanes(old) x) k
      group by 1, 2, 3 having (sum(k.signed), sum(k.minutes), sum(k.due), sum(k.on_time)) <> (0, 0, 0, 0);
  end if;
  return null;
end $$;

create or replace trigger express_lanes_insert after insert on expresses for each row when (new.signed_at is not null or new.promised_at is not null)
  execute function express_lane_step();
create or replace trigger express_lanes_update after update of signed_at, state_code, ordered_at, promised_at, provider, promise_id, sender_city, receive_province on expresses
  for each row when (coalesce(old.signed_at, new.signed_at, old.promised_at, new.promised_at) is not null
    and (old.signed_at, old.state_code = 300, is_promise_counted(old.state_code), old.ordered_at, old.promised_at, old.provider, old.promise_id, old.sender_city, old.receive_province)
    is distinct from (new.signed_at, new.state_code = 300, is_promise_counted(new.state_code), new.ordered_at, new.promised_at, new.provider, new.promise_id, new.sender_city,
      new.receive_province))
  execute function express_lane_step();

-- The step that a pickup adds to its carrier account.
create or replace function express_pickup_uses(e expresses) returns table (what text, of_id bigint, day date, n bigint) language sql immutable as $$
  select 'picked_up', e.merchant_id, business_day(e.picked_up_at), 1::bigint where e.merchant_id is not null and e.picked_up_at is not null
$$;

create or replace function express_pickup_step() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into express_uses (what, of_id, day, n) select k.what, k.of_id, k.day, k.n from express_pickup_uses(new) k;
  else
    insert into express_uses (what, of_id, day, n)
      select k.what, k.of_id, k.day, sum(k.n)
      from (select * from express_pickup_uses(new) union all select x.what, x.of_id, x.day, -x.n from express_pickup_uses(old) x) k
      group by 1, 2, 3 having sum(k.n) <> 0;
  end if;
  return null;
end $$;

-- A new order has no pickup yet and adds nothing.
create or replace trigger express_pickups_insert after insert on expresses for each row when (new.picked_up_at is not null) execute function express_pickup_step();
create or replace trigger express_pickups_update after update of picked_up_at, merchant_id on expresses for each row
  when ((old.picked_up_at, old.merchant_id) is distinct from (new.picked_up_at, new.merchant_id) and (old.picked_up_at is not null or new.picked_up_at is not null))
  execute function express_pickup_step();

create or replace trigger express_uses_insert after insert on expresses for each row
  when (new.voucher_id is not null or new.merchant_id is not null or new.price_lines <> '[]' or new.goods <> '') execute function express_use_step();
create or replace trigger express_uses_update after update of voucher_id, merchant_id, price_lines, provider, goods on expresses for each row
  when ((old.voucher_id, old.merchant_id, old.price_lines, old.provider, old.goods)
    is distinct from (new.voucher_id, new.merchant_id, new.price_lines, new.provider, new.goods)) execute function express_use_step();

-- Adds new steps to the sums of their keys in one statement: a reader sees either the steps or the
-- sums. It widens the scope, because it would miss sums in a narrower one. A lane that gets steps
-- loses its days before first_lane_day.
create or replace function express_uses_roll_up() returns void language plpgsql security definer set search_path = public, pg_temp as $$
declare
  scope text := current_setting('waystation.scope', true);
begin
  perform set_config('waystation.scope', 'all', true);
  with steps as (delete from express_uses where fresh returning *),
    touched as (select distinct what, of_id, day from steps),
    sums as (delete from express_uses u using touched t where not u.fresh and (u.what, u.of_id, u.day) = (t.what, t.of_id, t.day) returning u.*)
  insert into express_uses (what, of_id, day, n, fresh)
    select what, of_id, day, sum(n), false from (select * from steps union all select * from sums) s group by 1, 2, 3 having sum(n) <> 0;
  with steps as (delete from express_lanes where fresh returning *),
    touched as (select distinct station_id, lane, day from steps),
    sums as (delete from express_lanes l using touched t where not l.fresh and (l.lane, l.day, l.station_id) = (t.lane, t.day, t.station_id)
      and t.day >= first_lane_day() returning l.*),
    past as (delete from express_lanes l using (select distinct lane from touched) t where not l.fresh and l.lane = t.lane and l.day < first_lane_day())
  insert into express_lanes (station_id, lane, day, signed, minutes, due, on_time, fresh)
    select station_id, lane, day, sum(signed), sum(minutes), sum(due), sum(on_time), false from (select * from steps union all select * from sums) s
    where s.day >= first_lane_day() group by 1, 2, 3 having (sum(signed), sum(minutes), sum(due), sum(on_time)) <> (0, 0, 0, 0);
  perform set_config('waystation.scope', coalesce(scope, ''), true);
end $$;

revoke execute on function express_uses_roll_up() from public;
grant execute on function express_uses_roll_up() to {{app_role}};

-- Adds up the lanes and kept promises of the next `size` parcels, from the newest on, and returns
-- false once none is left. It locks these parcels against changes until it commits. If one of them
-- stays locked for 200 ms, it fails without adding any.
create or replace function express_lane_fill_slice(size integer) returns boolean language plpgsql security definer set search_path = public, pg_temp as $$
declare
  scope text := current_setting('waystation.scope', true);
  upto bigint;
  ids bigint[];
begin
  perform set_config('waystation.scope', 'all', true);
  perform set_config('lock_timeout', '200ms', true);
  select f.upto_id into upto from express_lane_fill f for update;
  if found then
    ids := array(select e.id from expresses e where e.id <= upto order by e.id desc limit size);
    perform from expresses e where e.id = any (ids) order by e.id for no key update;
    insert into express_lanes (station_id, lane, day, signed, minutes, due, on_time)
      select k.station_id, k.lane, k.day, sum(k.signed), sum(k.minutes), sum(k.due), sum(k.on_time)
      from expresses e cross join lateral express_station_lanes(e) k where e.id = any (ids) and k.day >= first_lane_day()
      group by 1, 2, 3 having (sum(k.signed), sum(k.minutes), sum(k.due), sum(k.on_time)) <> (0, 0, 0, 0);
    insert into express_uses (what, of_id, day, n)
      select k.what, k.of_id, k.day, sum(k.n) from expresses e cross join lateral express_promise_uses(e) k
      where e.id = any (ids) and k.what in ('due', 'on_time') group by 1, 2, 3 having sum(k.n) <> 0;
    if cardinality(ids) < size then
      delete from express_lane_fill;
    else
      update express_lane_fill set upto_id = ids[size] - 1;
    end if;
  end if;
  perform set_config('waystation.scope', coalesce(scope, ''), true);
  return exists (select from express_lane_fill);
end $$;

revoke execute on function express_lane_fill_slice(integer) from public;
grant execute on function express_lane_fill_slice(integer) to {{app_role}};
revoke all on express_lane_fill from {{app_role}};
grant select on express_lane_fill to {{app_role}};

-- Starts the first sums of lanes and kept promises. The former count of kept promises is deleted:
-- it had delivered parcels alone, on the day of the signature. From now on the triggers above count
-- new parcels, and express_lane_fill_slice adds those that exist already.
do $$
declare
  scope text := current_setting('waystation.scope', true);
begin
  perform set_config('waystation.scope', 'all', true);
  if not exists (select from express_lanes) and not exists (select from express_lane_fill) then
    delete from express_uses where what in ('due', 'on_time', 'lane_signed', 'lane_minutes', 'lane_due', 'lane_on_time');
    insert into express_lane_fill (upto_id) select max(id) from expresses having max(id) is not null;
  end if;
  perform set_config('waystation.scope', coalesce(scope, ''), true);
end $$;
