-- Accounts and the tables that refer to them, the audit log and the settings: row-level security
-- and the grants of the application role.

alter table accounts enable row level security;
alter table accounts force row level security;
drop policy if exists accounts_scope on accounts;
create policy accounts_scope on accounts using ((select scope_all()) or station_id = any ((select scope_stations())::bigint[]))
  with check ((select scope_all()) or station_id = any ((select scope_stations())::bigint[]));

alter table audit_log enable row level security;
alter table audit_log force row level security;
drop policy if exists audit_log_read on audit_log;
create policy audit_log_read on audit_log for select using ((select scope_all()) or station_id = any ((select scope_stations())::bigint[]));
drop policy if exists audit_log_write on audit_log;
create policy audit_log_write on audit_log for insert with check (true);

drop policy if exists audit_log_prune on audit_log;
create policy audit_log_prune on audit_log for delete using ((select scope_all()));

create or replace trigger audit_log_append_only before update or delete or truncate on audit_log execute function refuse_change_but_pruning();

-- Rows that belong to an account are visible in every scope that includes the account.
alter table sessions enable row level security;
alter table sessions force row level security;
drop policy if exists sessions_scope on sessions;
create policy sessions_scope on sessions using ((select scope_all()) or exists (select 1 from accounts a where a.id = account_id));

alter table api_keys enable row level security;
alter table api_keys force row level security;
drop policy if exists api_keys_scope on api_keys;
create policy api_keys_scope on api_keys using ((select scope_all()) or exists (select 1 from accounts a where a.id = account_id));

alter table account_invitations enable row level security;
alter table account_invitations force row level security;
drop policy if exists account_invitations_scope on account_invitations;
create policy account_invitations_scope on account_invitations using ((select scope_all()) or exists (select 1 from accounts a where a.id = account_id));

alter table api_key_calls enable row level security;
alter table api_key_calls force row level security;
drop policy if exists api_key_calls_scope on api_key_calls;
create policy api_key_calls_scope on api_key_calls using ((select scope_all()));

alter table api_key_orders enable row level security;
alter table api_key_orders force row level security;
drop policy if exists api_key_orders_scope on api_key_orders;
create policy api_key_orders_scope on api_key_orders using ((select scope_all()));

alter table account_key_calls enable row level security;
alter table account_key_calls force row level security;
drop policy if exists account_key_calls_scope on account_key_calls;
create policy account_key_calls_scope on account_key_calls using ((select scope_all()));

alter table two_factor_secrets enable row level security;
alter table two_factor_secrets force row level security;
drop policy if exists two_factor_secrets_scope on two_factor_secrets;
create policy two_factor_secrets_scope on two_factor_secrets using ((select scope_all()) or exists (select 1 from accounts a where a.id = account_id));

alter table recovery_codes enable row level security;
alter table recovery_codes force row level security;
drop policy if exists recovery_codes_scope on recovery_codes;
create policy recovery_codes_scope on recovery_codes using ((select scope_all()) or exists (select 1 from accounts a where a.id = account_id));

alter table account_setups enable row level security;
alter table account_setups force row level security;
drop policy if exists account_setups_read on account_setups;
create policy account_setups_read on account_setups for select using ((select scope_all()));
drop policy if exists account_setups_write on account_setups;
create policy account_setups_write on account_setups for insert with check (true);

create or replace trigger account_setups_append_only before update or delete or truncate on account_setups execute function refuse_change();

alter table request_announcements enable row level security;
alter table request_announcements force row level security;
drop policy if exists request_announcements_scope on request_announcements;
create policy request_announcements_scope on request_announcements using ((select scope_all()));

create or replace trigger request_announcements_append_only before update or delete or truncate on request_announcements execute function refuse_change();

alter table request_approvals enable row level security;
alter table request_approvals force row level security;
drop policy if exists request_approvals_read on request_approvals;
create policy request_approvals_read on request_approvals for select using ((select scope_all()) or exists (select 1 from statements s where s.id = statement_id));
drop policy if exists request_approvals_write on request_approvals;
create policy request_approvals_write on request_approvals for insert with check ((select scope_all()));

create or replace trigger request_approvals_append_only before update or delete or truncate on request_approvals execute function refuse_change();

alter table setting_raises enable row level security;
alter table setting_raises force row level security;
drop policy if exists setting_raises_scope on setting_raises;
create policy setting_raises_scope on setting_raises using ((select scope_all()));

revoke all on accounts, settings, setting_raises from {{app_role}};
grant select, insert, update on accounts, settings, setting_raises to {{app_role}};
revoke all on sessions, login_failures, known_browsers, two_factor_secrets, recovery_codes, idempotency_keys, preferences,
  refused_calls, worker_heartbeats, api_keys, api_key_calls, api_key_orders, account_key_calls, account_invitations from {{app_role}};
grant select, insert, update, delete on sessions, login_failures, known_browsers, two_factor_secrets, recovery_codes, idempotency_keys, preferences,
  refused_calls, worker_heartbeats, api_keys, api_key_calls, api_key_orders, account_key_calls, account_invitations to {{app_role}};
revoke all on phone_searches from {{app_role}};
grant select, insert, delete on phone_searches to {{app_role}};
revoke all on audit_log, account_setups, request_announcements, request_approvals from {{app_role}};
grant select, insert on audit_log, account_setups, request_announcements, request_approvals to {{app_role}};
