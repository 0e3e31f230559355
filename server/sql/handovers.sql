-- Hand-over lists (requirements §10.14.10). A clerk sees the clerk's own lists, any other user
-- those of the user's stations.

alter table handovers enable row level security;
alter table handovers force row level security;
drop policy if exists handovers_scope on handovers;
create policy handovers_scope on handovers using ((select scope_all()) or (station_id = any ((select scope_stations())::bigint[])
  and ((select scope_account()) is null or user_id = (select scope_account()))));

alter table handover_scans enable row level security;
alter table handover_scans force row level security;
drop policy if exists handover_scans_scope on handover_scans;
create policy handover_scans_scope on handover_scans using ((select scope_all()) or (station_id = any ((select scope_stations())::bigint[])
  and ((select scope_account()) is null or user_id = (select scope_account()))));

-- A closed hand-over never changes, except for an erasure of personal text by the database's owner.
create or replace function handovers_guard() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and (old.status = 'open' or (current_setting('waystation.erasing', true) = 'on'
    and current_user = (select pg_get_userbyid(c.relowner) from pg_class c where c.oid = tg_relid))) then return new; end if;
  raise exception 'an ended hand-over is not changed' using errcode = '23000', constraint = 'append_only';
end $$;
create or replace trigger handovers_guard before update or delete on handovers for each row execute function handovers_guard();
create or replace trigger handovers_append_only before truncate on handovers execute function refuse_change();

-- Scans can only be added to an open hand-over, whose row the writer has locked.
create or replace function handover_scans_guard() returns trigger language plpgsql as $$
begin
  if exists (select from handovers h where h.id = new.handover_id and h.status = 'open') and (tg_op = 'INSERT' or old.handover_id = new.handover_id) then return new; end if;
  raise exception 'the scans of an ended hand-over are not changed' using errcode = '23000', constraint = 'append_only';
end $$;
create or replace trigger handover_scans_guard before insert or update on handover_scans for each row execute function handover_scans_guard();
create or replace trigger handover_scans_append_only before delete or truncate on handover_scans execute function refuse_change();

revoke all on handovers, handover_scans from {{app_role}};
grant select, insert, update on handovers, handover_scans to {{app_role}};
