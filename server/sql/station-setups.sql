-- New stations that are being set up (requirements §10.17.4). A scope sees the rows of its
-- stations.

alter table station_setups enable row level security;
alter table station_setups force row level security;
drop policy if exists station_setups_scope on station_setups;
create policy station_setups_scope on station_setups
  using ((select scope_all()) or station_id = any ((select scope_stations())::bigint[]))
  with check ((select scope_all()) or station_id = any ((select scope_stations())::bigint[]));

revoke all on station_setups from {{app_role}};
grant select, insert, update on station_setups to {{app_role}};
