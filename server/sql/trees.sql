-- The tree of a row: the station at the top of its station's chain when the row was made (docs/decisions/0038). It places rows and grants nothing.

-- Written by the triggers below, read by nobody else.
revoke all on station_trees from {{app_role}};

-- The scope is widened: a station below sees nothing above it.
create or replace function station_trees_insert() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  scope text := current_setting('waystation.scope', true);
begin
  perform set_config('waystation.scope', 'all', true);
  insert into station_trees (station_id, tree_id)
    with recursive up as (
      select id as station_id, id, parent_id, 1 as level from new_rows
      union all select u.station_id, s.id, s.parent_id, u.level + 1 from up u join stations s on s.id = u.parent_id where u.level < 200)
    select station_id, id from up where parent_id is null;
  perform set_config('waystation.scope', coalesce(scope, ''), true);
  return null;
end $$;

create or replace trigger station_trees_insert after insert on stations referencing new table as new_rows for each statement execute function station_trees_insert();

-- The station and all below it belong to the tree of the new parent; their rows stay where they are.
create or replace function station_trees_move() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  scope text := current_setting('waystation.scope', true);
begin
  perform set_config('waystation.scope', 'all', true);
  with recursive up as (
      select id, parent_id, 1 as level from stations where id = new.id
      union all select s.id, s.parent_id, u.level + 1 from stations s join up u on s.id = u.parent_id where u.level < 200),
    top as (select id from up where parent_id is null),
    below as (select new.id as id union select s.id from stations s join below b on s.parent_id = b.id)
  update station_trees t set tree_id = top.id from top, below where t.station_id = below.id and t.tree_id <> top.id;
  perform set_config('waystation.scope', coalesce(scope, ''), true);
  return null;
end $$;

create or replace trigger station_trees_move after update of parent_id on stations for each row when (old.parent_id is distinct from new.parent_id)
  execute function station_trees_move();

-- For rows written without a tree. A writer that has the value names it, and no function is called.
create or replace function tree_of_station() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  new.tree_id := coalesce((select t.tree_id from station_trees t where t.station_id = new.station_id), 0);
  return new;
end $$;

-- What belongs to a parcel lies with it, also after its station has moved.
create or replace function tree_of_parcel() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  new.tree_id := coalesce((select e.tree_id from expresses e where e.id = new.express_id),
    (select t.tree_id from station_trees t where t.station_id = new.station_id), 0);
  return new;
end $$;

create or replace function tree_of_transfer() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  new.tree_id := coalesce((select t.tree_id from ledger_transfers t where t.id = new.transfer_id), 0);
  return new;
end $$;

create or replace function refuse_other_tree() returns trigger language plpgsql as
  $$ begin raise exception 'a row of % keeps its tree', tg_table_name using errcode = '23000', constraint = 'tree_id_kept'; end $$;

revoke execute on function station_trees_insert(), station_trees_move(), tree_of_station(), tree_of_parcel(), tree_of_transfer() from public;

create or replace trigger audit_log_tree before insert on audit_log for each row when (coalesce(new.tree_id, 0) = 0) execute function tree_of_station();
create or replace trigger contacts_tree before insert on contacts for each row when (coalesce(new.tree_id, 0) = 0) execute function tree_of_station();
create or replace trigger express_counts_tree before insert on express_counts for each row when (coalesce(new.tree_id, 0) = 0) execute function tree_of_station();
create or replace trigger express_count_sums_tree before insert on express_count_sums for each row when (coalesce(new.tree_id, 0) = 0) execute function tree_of_station();
create or replace trigger express_days_tree before insert on express_days for each row when (coalesce(new.tree_id, 0) = 0) execute function tree_of_station();
create or replace trigger express_day_sums_tree before insert on express_day_sums for each row when (coalesce(new.tree_id, 0) = 0) execute function tree_of_station();
create or replace trigger express_edits_tree before insert on express_edits for each row when (coalesce(new.tree_id, 0) = 0) execute function tree_of_parcel();
create or replace trigger express_facts_tree before insert on express_facts for each row when (coalesce(new.tree_id, 0) = 0) execute function tree_of_parcel();
create or replace trigger express_keys_tree before insert on express_keys for each row when (coalesce(new.tree_id, 0) = 0) execute function tree_of_parcel();
create or replace trigger express_messages_tree before insert on express_messages for each row when (coalesce(new.tree_id, 0) = 0) execute function tree_of_parcel();
create or replace trigger express_moves_tree before insert on express_moves for each row when (coalesce(new.tree_id, 0) = 0) execute function tree_of_parcel();
create or replace trigger express_versions_tree before insert on express_versions for each row when (coalesce(new.tree_id, 0) = 0) execute function tree_of_parcel();
create or replace trigger expresses_tree before insert on expresses for each row when (coalesce(new.tree_id, 0) = 0) execute function tree_of_station();
create or replace trigger ledger_chain_tree before insert on ledger_chain for each row when (coalesce(new.tree_id, 0) = 0) execute function tree_of_station();
create or replace trigger ledger_days_tree before insert on ledger_days for each row when (coalesce(new.tree_id, 0) = 0) execute function tree_of_station();
create or replace trigger ledger_holds_tree before insert on ledger_holds for each row when (coalesce(new.tree_id, 0) = 0) execute function tree_of_parcel();
create or replace trigger ledger_transfers_tree before insert on ledger_transfers for each row when (coalesce(new.tree_id, 0) = 0) execute function tree_of_station();
create or replace trigger period_balances_tree before insert on period_balances for each row when (coalesce(new.tree_id, 0) = 0) execute function tree_of_station();
create or replace trigger prints_tree before insert on prints for each row when (coalesce(new.tree_id, 0) = 0) execute function tree_of_parcel();
create or replace trigger source_blocks_tree before insert on source_blocks for each row when (coalesce(new.tree_id, 0) = 0) execute function tree_of_station();
create or replace trigger source_hashes_tree before insert on source_hashes for each row when (coalesce(new.tree_id, 0) = 0) execute function tree_of_station();
create or replace trigger statement_confirmations_tree before insert on statement_confirmations for each row when (coalesce(new.tree_id, 0) = 0) execute function tree_of_station();
create or replace trigger statement_days_tree before insert on statement_days for each row when (coalesce(new.tree_id, 0) = 0) execute function tree_of_station();
create or replace trigger statement_months_tree before insert on statement_months for each row when (coalesce(new.tree_id, 0) = 0) execute function tree_of_station();
create or replace trigger statements_tree before insert on statements for each row when (coalesce(new.tree_id, 0) = 0) execute function tree_of_station();
create or replace trigger ledger_entries_tree before insert on ledger_entries for each row when (coalesce(new.tree_id, 0) = 0) execute function tree_of_transfer();

create or replace trigger audit_log_tree_kept before update of tree_id on audit_log for each row when (old.tree_id is distinct from new.tree_id) execute function refuse_other_tree();
create or replace trigger contacts_tree_kept before update of tree_id on contacts for each row when (old.tree_id is distinct from new.tree_id) execute function refuse_other_tree();
create or replace trigger express_counts_tree_kept before update of tree_id on express_counts for each row when (old.tree_id is distinct from new.tree_id) execute function refuse_other_tree();
create or replace trigger express_count_sums_tree_kept before update of tree_id on express_count_sums for each row when (old.tree_id is distinct from new.tree_id) execute function refuse_other_tree();
create or replace trigger express_days_tree_kept before update of tree_id on express_days for each row when (old.tree_id is distinct from new.tree_id) execute function refuse_other_tree();
create or replace trigger express_day_sums_tree_kept before update of tree_id on express_day_sums for each row when (old.tree_id is distinct from new.tree_id) execute function refuse_other_tree();
create or replace trigger express_edits_tree_kept before update of tree_id on express_edits for each row when (old.tree_id is distinct from new.tree_id) execute function refuse_other_tree();
create or replace trigger express_facts_tree_kept before update of tree_id on express_facts for each row when (old.tree_id is distinct from new.tree_id) execute function refuse_other_tree();
create or replace trigger express_keys_tree_kept before update of tree_id on express_keys for each row when (old.tree_id is distinct from new.tree_id) execute function refuse_other_tree();
create or replace trigger express_messages_tree_kept before update of tree_id on express_messages for each row when (old.tree_id is distinct from new.tree_id) execute function refuse_other_tree();
create or replace trigger express_moves_tree_kept before update of tree_id on express_moves for each row when (old.tree_id is distinct from new.tree_id) execute function refuse_other_tree();
create or replace trigger express_versions_tree_kept before update of tree_id on express_versions for each row when (old.tree_id is distinct from new.tree_id) execute function refuse_other_tree();
create or replace trigger expresses_tree_kept before update of tree_id on expresses for each row when (old.tree_id is distinct from new.tree_id) execute function refuse_other_tree();
create or replace trigger ledger_chain_tree_kept before update of tree_id on ledger_chain for each row when (old.tree_id is distinct from new.tree_id) execute function refuse_other_tree();
create or replace trigger ledger_days_tree_kept before update of tree_id on ledger_days for each row when (old.tree_id is distinct from new.tree_id) execute function refuse_other_tree();
create or replace trigger ledger_holds_tree_kept before update of tree_id on ledger_holds for each row when (old.tree_id is distinct from new.tree_id) execute function refuse_other_tree();
create or replace trigger ledger_transfers_tree_kept before update of tree_id on ledger_transfers for each row when (old.tree_id is distinct from new.tree_id) execute function refuse_other_tree();
create or replace trigger period_balances_tree_kept before update of tree_id on period_balances for each row when (old.tree_id is distinct from new.tree_id) execute function refuse_other_tree();
create or replace trigger prints_tree_kept before update of tree_id on prints for each row when (old.tree_id is distinct from new.tree_id) execute function refuse_other_tree();
create or replace trigger source_blocks_tree_kept before update of tree_id on source_blocks for each row when (old.tree_id is distinct from new.tree_id) execute function refuse_other_tree();
create or replace trigger source_hashes_tree_kept before update of tree_id on source_hashes for each row when (old.tree_id is distinct from new.tree_id) execute function refuse_other_tree();
create or replace trigger statement_confirmations_tree_kept before update of tree_id on statement_confirmations for each row when (old.tree_id is distinct from new.tree_id) execute function refuse_other_tree();
create or replace trigger statement_days_tree_kept before update of tree_id on statement_days for each row when (old.tree_id is distinct from new.tree_id) execute function refuse_other_tree();
create or replace trigger statement_months_tree_kept before update of tree_id on statement_months for each row when (old.tree_id is distinct from new.tree_id) execute function refuse_other_tree();
create or replace trigger statements_tree_kept before update of tree_id on statements for each row when (old.tree_id is distinct from new.tree_id) execute function refuse_other_tree();
create or replace trigger ledger_entries_tree_kept before update of tree_id on ledger_entries for each row when (old.tree_id is distinct from new.tree_id) execute function refuse_other_tree();
