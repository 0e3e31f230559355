-- Sums of the signed steps: of each clerk, of each station and of the network, which is station 0
-- (docs/decisions/0039).

-- Sums of whole stations and of the network. A clerk sees none of them.
alter table express_count_sums enable row level security;
alter table express_count_sums force row level security;
drop policy if exists express_count_sums_scope on express_count_sums;
create policy express_count_sums_scope on express_count_sums
  using ((select scope_all()) or (station_id = any ((select scope_stations())::bigint[]) and (select scope_account()) is null));

alter table express_day_sums enable row level security;
alter table express_day_sums force row level security;
drop policy if exists express_day_sums_scope on express_day_sums;
create policy express_day_sums_scope on express_day_sums
  using ((select scope_all()) or (station_id = any ((select scope_stations())::bigint[]) and (select scope_account()) is null));

revoke all on express_count_sums, express_day_sums from {{app_role}};
grant select on express_count_sums, express_day_sums to {{app_role}};

-- Adds new steps to the sums of their keys, of their stations and of the network. Other sums do not
-- change. Each statement deletes rows and writes their sums, so a reader sees either the steps or
-- the sums, even while another roll-up runs.
create or replace function express_roll_up() returns void language plpgsql security definer set search_path = public, pg_temp as $$
declare
  scope text := current_setting('waystation.scope', true);
begin
  perform set_config('waystation.scope', 'all', true);
  with steps as (delete from express_counts where fresh returning *),
    touched as (select distinct station_id, user_id, state_code, waybill from steps),
    sums as (delete from express_counts c using touched t where not c.fresh
      and (c.station_id, c.user_id, c.state_code, c.waybill) = (t.station_id, t.user_id, t.state_code, t.waybill) returning c.*),
    together as (insert into express_count_sums as s (station_id, state_code, waybill, n, post_amount, weight, package_count)
      select p.station_id, e.state_code, e.waybill, sum(e.n), sum(e.post_amount), sum(e.weight), sum(e.package_count)
      from steps e cross join lateral (values (e.station_id), (0)) p (station_id)
      group by 1, 2, 3 having (sum(e.n), sum(e.post_amount), sum(e.weight), sum(e.package_count)) <> (0, 0, 0, 0) order by 1, 2, 3
      on conflict (station_id, state_code, waybill) do update set n = s.n + excluded.n, post_amount = s.post_amount + excluded.post_amount,
        weight = s.weight + excluded.weight, package_count = s.package_count + excluded.package_count)
  insert into express_counts (station_id, user_id, state_code, waybill, n, post_amount, weight, package_count, fresh)
    select station_id, user_id, state_code, waybill, sum(n), sum(post_amount), sum(weight), sum(package_count), false
    from (select * from steps union all select * from sums) s
    group by 1, 2, 3, 4 having (sum(n), sum(post_amount), sum(weight), sum(package_count)) <> (0, 0, 0, 0);
  with steps as (delete from express_days where fresh returning *),
    touched as (select distinct what, day, station_id, user_id from steps),
    sums as (delete from express_days d using touched t where not d.fresh
      and (d.what, d.day, d.station_id, d.user_id) = (t.what, t.day, t.station_id, t.user_id) returning d.*),
    together as (insert into express_day_sums as s (station_id, what, day, n)
      select p.station_id, e.what, e.day, sum(e.n) from steps e cross join lateral (values (e.station_id), (0)) p (station_id)
      group by 1, 2, 3 having sum(e.n) <> 0 order by 1, 2, 3
      on conflict (station_id, day, what) do update set n = s.n + excluded.n)
  insert into express_days (day, station_id, user_id, what, n, fresh)
    select day, station_id, user_id, what, sum(n), false from (select * from steps union all select * from sums) s group by 1, 2, 3, 4 having sum(n) <> 0;
  perform set_config('waystation.scope', coalesce(scope, ''), true);
end $$;

revoke execute on function express_roll_up() from public;
grant execute on function express_roll_up() to {{app_role}};

-- Creates the first sums from steps that were added up before this table existed. One transaction
-- creates them, replaces the roll-up function above and changes the grants.
do $$
declare
  scope text := current_setting('waystation.scope', true);
begin
  perform set_config('waystation.scope', 'all', true);
  if not exists (select from express_count_sums) then
    insert into express_count_sums (station_id, state_code, waybill, n, post_amount, weight, package_count)
      select p.station_id, e.state_code, e.waybill, sum(e.n), sum(e.post_amount), sum(e.weight), sum(e.package_count)
      from express_counts e cross join lateral (values (e.station_id), (0)) p (station_id) where not e.fresh group by 1, 2, 3;
    analyze express_count_sums;
  end if;
  if not exists (select from express_day_sums) then
    insert into express_day_sums (station_id, what, day, n)
      select p.station_id, e.what, e.day, sum(e.n)
      from express_days e cross join lateral (values (e.station_id), (0)) p (station_id) where not e.fresh group by 1, 2, 3;
    analyze express_day_sums;
  end if;
  perform set_config('waystation.scope', coalesce(scope, ''), true);
end $$;
