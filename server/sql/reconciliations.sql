-- Bills of carriers: the office's alone.

alter table reconciliations enable row level security;
alter table reconciliations force row level security;
drop policy if exists reconciliations_scope on reconciliations;
create policy reconciliations_scope on reconciliations using ((select scope_all()))
  with check ((select scope_all()));

alter table reconciliation_files enable row level security;
alter table reconciliation_files force row level security;
drop policy if exists reconciliation_files_scope on reconciliation_files;
create policy reconciliation_files_scope on reconciliation_files using ((select scope_all()))
  with check ((select scope_all()));

alter table reconciliation_rows enable row level security;
alter table reconciliation_rows force row level security;
drop policy if exists reconciliation_rows_scope on reconciliation_rows;
create policy reconciliation_rows_scope on reconciliation_rows using ((select scope_all()))
  with check ((select scope_all()));

alter table bill_mappings enable row level security;
alter table bill_mappings force row level security;
drop policy if exists bill_mappings_scope on bill_mappings;
create policy bill_mappings_scope on bill_mappings using ((select scope_all()))
  with check ((select scope_all()));

alter table reconciliation_payments enable row level security;
alter table reconciliation_payments force row level security;
drop policy if exists reconciliation_payments_scope on reconciliation_payments;
create policy reconciliation_payments_scope on reconciliation_payments using ((select scope_all()))
  with check ((select scope_all()));

revoke all on reconciliations, bill_mappings from {{app_role}};
grant select, insert, update on reconciliations, bill_mappings to {{app_role}};
revoke all on reconciliation_files, reconciliation_payments from {{app_role}};
grant select, insert on reconciliation_files, reconciliation_payments to {{app_role}};
revoke all on reconciliation_rows from {{app_role}};
grant select, insert, update, delete on reconciliation_rows to {{app_role}};

create or replace trigger reconciliation_payments_append_only before delete or truncate on reconciliation_payments execute function refuse_change();
create or replace trigger reconciliation_payments_guard before update on reconciliation_payments for each row execute function refuse_change_but_erasure();
