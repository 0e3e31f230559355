-- Stations and the tables that the office sets up: row-level security and the grants of the
-- application role.

-- A station sees itself and its descendants, not its ancestors.
alter table stations enable row level security;
alter table stations force row level security;
drop policy if exists stations_scope on stations;
create policy stations_scope on stations using ((select scope_all()) or id = any ((select scope_stations())::bigint[]))
  with check ((select scope_all()) or id = any ((select scope_stations())::bigint[]) or parent_id = any ((select scope_stations())::bigint[]));

alter table contacts enable row level security;
alter table contacts force row level security;
drop policy if exists contacts_scope on contacts;
create policy contacts_scope on contacts using ((select scope_all()) or station_id = any ((select scope_stations())::bigint[]))
  with check ((select scope_all()) or station_id = any ((select scope_stations())::bigint[]));

-- An impact adds up figures of several stations, so only the scope of everything sees it.
alter table voucher_impacts enable row level security;
alter table voucher_impacts force row level security;
drop policy if exists voucher_impacts_scope on voucher_impacts;
create policy voucher_impacts_scope on voucher_impacts using ((select scope_all()));

create or replace trigger voucher_versions_append_only before update or delete or truncate on voucher_versions execute function refuse_change();

revoke all on projects, cargos, promises, guarantees, merchants, vouchers, contacts from {{app_role}};
grant select, insert, update on projects, cargos, promises, guarantees, merchants, vouchers, contacts to {{app_role}};
revoke all on guarantee_plans from {{app_role}};
grant select, insert, update on guarantee_plans to {{app_role}};
revoke all on voucher_versions from {{app_role}};
grant select, insert on voucher_versions to {{app_role}};
revoke all on project_vouchers, voucher_impacts from {{app_role}};
grant select, insert, update, delete on project_vouchers, voucher_impacts to {{app_role}};

-- Only the functions of the ledger change a station's money; the application role may not update
-- it.
revoke all on stations from {{app_role}};
grant select on stations to {{app_role}};
grant insert (name, province, city, county, address, discount, northeast_discount, fixed_freeze, customer_code, status, allow_print, has_amount, allow_select,
  profit, fixed_profit, enable_profit, parent_id, project_id, sender_name, sender_phone, version, created_at, updated_at, profit_limit, fixed_profit_limit, low_balance,
  disabled_by_office, made_under, credit_limit, offer_rule, offer_carriers, offer_fallback, pinyin) on stations to {{app_role}};
grant update (name, province, city, county, address, discount, northeast_discount, fixed_freeze, customer_code, status, allow_print, has_amount, allow_select,
  profit, fixed_profit, enable_profit, parent_id, project_id, sender_name, sender_phone, version, created_at, updated_at, profit_limit, fixed_profit_limit, low_balance,
  disabled_by_office, credit_limit, offer_rule, offer_carriers, offer_fallback, pinyin) on stations to {{app_role}};

-- The creator of a station reads its id before the scope includes the row.
grant select on sequence stations_id_seq to {{app_role}};
