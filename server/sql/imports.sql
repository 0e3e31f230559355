-- Imports of parcels. A clerk sees the clerk's own imports, any other user those of the user's
-- stations. Rows and files are visible if their import is.

alter table imports enable row level security;
alter table imports force row level security;
drop policy if exists imports_scope on imports;
create policy imports_scope on imports using ((select scope_all()) or (station_id = any ((select scope_stations())::bigint[])
    and ((select scope_account()) is null or user_id = (select scope_account()))))
  with check ((select scope_all()) or station_id = any ((select scope_stations())::bigint[]));

alter table import_files enable row level security;
alter table import_files force row level security;
drop policy if exists import_files_scope on import_files;
create policy import_files_scope on import_files using ((select scope_all()) or exists (select 1 from imports i where i.id = import_id));

alter table import_rows enable row level security;
alter table import_rows force row level security;
drop policy if exists import_rows_scope on import_rows;
create policy import_rows_scope on import_rows using ((select scope_all()) or exists (select 1 from imports i where i.id = import_id));

alter table import_prices enable row level security;
alter table import_prices force row level security;
drop policy if exists import_prices_scope on import_prices;
create policy import_prices_scope on import_prices using ((select scope_all()) or exists (select 1 from imports i where i.id = import_id));

alter table import_steps enable row level security;
alter table import_steps force row level security;
drop policy if exists import_steps_scope on import_steps;
create policy import_steps_scope on import_steps using ((select scope_all()) or exists (select 1 from imports i where i.id = import_id));

alter table import_step_rows enable row level security;
alter table import_step_rows force row level security;
drop policy if exists import_step_rows_scope on import_step_rows;
create policy import_step_rows_scope on import_step_rows using ((select scope_all()) or exists (select 1 from imports i where i.id = import_id));

alter table import_mappings enable row level security;
alter table import_mappings force row level security;
drop policy if exists import_mappings_scope on import_mappings;
create policy import_mappings_scope on import_mappings using ((select scope_all()) or station_id = any ((select scope_stations())::bigint[]));

revoke all on imports, import_files, import_rows, import_prices, import_steps, import_step_rows, import_mappings from {{app_role}};
grant select, insert, update, delete on imports, import_rows, import_prices, import_steps, import_step_rows to {{app_role}};
grant select, insert, update, delete on import_files to {{app_role}};
grant select, insert, update on import_mappings to {{app_role}};

alter table carrier_slots enable row level security;
alter table carrier_slots force row level security;
drop policy if exists carrier_slots_scope on carrier_slots;
create policy carrier_slots_scope on carrier_slots using ((select scope_all()));
revoke all on carrier_slots from {{app_role}};
grant select, insert, update on carrier_slots to {{app_role}};

alter table import_paces enable row level security;
alter table import_paces force row level security;
drop policy if exists import_paces_scope on import_paces;
create policy import_paces_scope on import_paces using ((select scope_all()));
revoke all on import_paces from {{app_role}};
grant select, insert, update on import_paces to {{app_role}};
