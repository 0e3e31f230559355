-- Parcels by day of each template and carrier account, as signed steps: lists of both show how often each was used in thirty days.

-- Of all stations: the office's.
alter table express_uses enable row level security;
alter table express_uses force row level security;
drop policy if exists express_uses_scope on express_uses;
create policy express_uses_scope on express_uses for select using ((select scope_all()));
-- Orders are made within the scope of a clerk, who adds steps and reads none.
drop policy if exists express_uses_add on express_uses;
create policy express_uses_add on express_uses for insert with check (fresh or (select scope_all()));
drop policy if exists express_uses_roll on express_uses;
create policy express_uses_roll on express_uses for delete using ((select scope_all()));

revoke all on express_uses from {{app_role}};
grant select, insert on express_uses to {{app_role}};

create or replace function express_use_step() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into express_uses (what, of_id, day, n)
      select x.what, x.of_id, business_day(new.created_at), 1 from (values ('voucher', new.voucher_id), ('merchant', new.merchant_id)) x (what, of_id) where x.of_id is not null;
  else
    insert into express_uses (what, of_id, day, n)
      select x.what, x.of_id, business_day(new.created_at), x.n from (values ('voucher', new.voucher_id, old.voucher_id, 1), ('voucher', old.voucher_id, new.voucher_id, -1),
        ('merchant', new.merchant_id, old.merchant_id, 1), ('merchant', old.merchant_id, new.merchant_id, -1)) x (what, of_id, other_id, n)
      where x.of_id is not null and x.of_id is distinct from x.other_id;
  end if;
  return null;
end $$;

create or replace trigger express_uses_insert after insert on expresses for each row when (new.voucher_id is not null or new.merchant_id is not null)
  execute function express_use_step();
create or replace trigger express_uses_update after update of voucher_id, merchant_id on expresses for each row
  when (old.voucher_id is distinct from new.voucher_id or old.merchant_id is distinct from new.merchant_id) execute function express_use_step();

-- Adds new steps to the sums of their keys in one statement: readers see the steps or their sums. Without a scope that sees everything it would leave sums behind.
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
  perform set_config('waystation.scope', coalesce(scope, ''), true);
end $$;

revoke execute on function express_uses_roll_up() from public;
grant execute on function express_uses_roll_up() to {{app_role}};

-- The parcels there were before their first step; in one transaction with the triggers above.
do $$
declare
  scope text := current_setting('waystation.scope', true);
begin
  perform set_config('waystation.scope', 'all', true);
  if not exists (select from express_uses) then
    insert into express_uses (what, of_id, day, n, fresh)
      select x.what, x.of_id, e.day, sum(e.n), false
      from (select voucher_id, merchant_id, business_day(created_at) as day, count(*) as n from expresses group by 1, 2, 3) e
        cross join lateral (values ('voucher', e.voucher_id), ('merchant', e.merchant_id)) x (what, of_id)
      where x.of_id is not null group by 1, 2, 3;
    analyze express_uses;
  end if;
  perform set_config('waystation.scope', coalesce(scope, ''), true);
end $$;
