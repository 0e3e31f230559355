-- The scope of the open transaction (server/src/platform/db/scope.ts), which all policies read. Unset means nothing is visible.

-- `scope_all`: everything is visible. Otherwise the rows of `scope_stations` are, restricted to one
-- clerk's own rows by `scope_account`.
create or replace function scope_all() returns boolean language sql stable parallel safe as
  $$ select coalesce(current_setting('waystation.scope', true) = 'all', false) $$;
create or replace function scope_stations() returns bigint[] language sql stable parallel safe as
  $$ select coalesce(nullif(current_setting('waystation.stations', true), ''), '{}')::bigint[] $$;
create or replace function scope_account() returns bigint language sql stable parallel safe as
  $$ select nullif(current_setting('waystation.account', true), '')::bigint $$;

grant usage on schema public to {{app_role}};
revoke all on schema_migrations, schema_sql from {{app_role}};
grant select on schema_migrations, schema_sql to {{app_role}};

-- Rows no longer name their tree (docs/decisions/0135).
drop function if exists station_trees_insert();
drop function if exists station_trees_move();
drop function if exists tree_of_station();
drop function if exists tree_of_parcel();
drop function if exists tree_of_transfer();
drop function if exists refuse_other_tree();
