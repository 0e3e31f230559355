-- Money (docs/ledger.md): the application role may only read. The functions of ledger-posting.sql
-- add rows, which never change.

-- A clerk sees no money rows (requirements §6). Rows of the platform have no station.
alter table ledger_transfers enable row level security;
alter table ledger_transfers force row level security;
drop policy if exists ledger_transfers_scope on ledger_transfers;
create policy ledger_transfers_scope on ledger_transfers using ((select scope_all()) or (station_id = any ((select scope_stations())::bigint[]) and (select scope_account()) is null));

alter table ledger_entries enable row level security;
alter table ledger_entries force row level security;
drop policy if exists ledger_entries_scope on ledger_entries;
create policy ledger_entries_scope on ledger_entries using ((select scope_all()) or (station_id = any ((select scope_stations())::bigint[]) and (select scope_account()) is null));

alter table statements enable row level security;
alter table statements force row level security;
drop policy if exists statements_scope on statements;
create policy statements_scope on statements using ((select scope_all()) or (station_id = any ((select scope_stations())::bigint[]) and (select scope_account()) is null));

alter table ledger_holds enable row level security;
alter table ledger_holds force row level security;
drop policy if exists ledger_holds_scope on ledger_holds;
create policy ledger_holds_scope on ledger_holds using ((select scope_all()) or (station_id = any ((select scope_stations())::bigint[]) and (select scope_account()) is null));

alter table ledger_chain enable row level security;
alter table ledger_chain force row level security;
drop policy if exists ledger_chain_scope on ledger_chain;
create policy ledger_chain_scope on ledger_chain using ((select scope_all()) or (station_id = any ((select scope_stations())::bigint[]) and (select scope_account()) is null));

alter table ledger_blocks enable row level security;
alter table ledger_blocks force row level security;
drop policy if exists ledger_blocks_scope on ledger_blocks;
create policy ledger_blocks_scope on ledger_blocks using ((select scope_all()) or (station_id = any ((select scope_stations())::bigint[]) and (select scope_account()) is null));

alter table ledger_no_op_causes enable row level security;
alter table ledger_no_op_causes force row level security;
drop policy if exists ledger_no_op_causes_scope on ledger_no_op_causes;
create policy ledger_no_op_causes_scope on ledger_no_op_causes using ((select scope_all()));

alter table ledger_proofs enable row level security;
alter table ledger_proofs force row level security;
drop policy if exists ledger_proofs_scope on ledger_proofs;
create policy ledger_proofs_scope on ledger_proofs using ((select scope_all()));

alter table ledger_checkpoints enable row level security;
alter table ledger_checkpoints force row level security;
drop policy if exists ledger_checkpoints_scope on ledger_checkpoints;
create policy ledger_checkpoints_scope on ledger_checkpoints using ((select scope_all()));

-- A clerk sees no money rows (requirements §6).
alter table statement_confirmations enable row level security;
alter table statement_confirmations force row level security;
drop policy if exists statement_confirmations_scope on statement_confirmations;
create policy statement_confirmations_scope on statement_confirmations
  using ((select scope_all()) or (station_id = any ((select scope_stations())::bigint[]) and (select scope_account()) is null));

revoke all on ledger_transfers, ledger_entries, statements, ledger_holds, ledger_chain, ledger_no_op_causes, ledger_blocks, ledger_proofs,
  ledger_checkpoints from {{app_role}};
grant select on ledger_transfers, ledger_entries, statements, ledger_holds, ledger_chain, ledger_no_op_causes, ledger_blocks, ledger_proofs,
  ledger_checkpoints to {{app_role}};
alter table station_claims enable row level security;
alter table station_claims force row level security;
drop policy if exists station_claims_scope on station_claims;
create policy station_claims_scope on station_claims
  using ((select scope_all()) or (station_id = any ((select scope_stations())::bigint[]) and (select scope_account()) is null));
revoke all on station_claims from {{app_role}};
grant select on station_claims to {{app_role}};
revoke all on statement_confirmations from {{app_role}};
grant select, insert on statement_confirmations to {{app_role}};

create or replace function ledger_entries_balance() returns trigger language plpgsql as $$
begin
  if exists (select 1 from new_entries group by transfer_id having count(*) < 2 or sum(amount) <> 0
      or bool_or((account in ('wallet', 'holds')) <> (num_nonnulls(station_id, balance, seq) = 3) or num_nonnulls(station_id, balance, seq) in (1, 2))) then
    raise exception 'entries of a transfer do not sum to zero, or name no account' using errcode = '23000', constraint = 'ledger_entries_balance';
  end if;
  return null;
end $$;

-- Every insert of entries must be balanced.
create or replace trigger ledger_entries_balance after insert on ledger_entries referencing new table as new_entries
  for each statement execute function ledger_entries_balance();

-- A transfer without entries fails at commit. The scope may be a clerk's then, so the trigger
-- widens it to see the entries.
create or replace function ledger_transfer_whole() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  scope text := current_setting('waystation.scope', true);
  whole boolean;
begin
  perform set_config('waystation.scope', 'all', true);
  whole := exists (select from ledger_entries where transfer_id = new.id);
  perform set_config('waystation.scope', coalesce(scope, ''), true);
  if not whole then
    raise exception 'transfer % has no balanced entries', new.id using errcode = '23000', constraint = 'ledger_transfer_whole';
  end if;
  return null;
end $$;

drop trigger if exists ledger_transfer_whole on ledger_transfers;
create constraint trigger ledger_transfer_whole after insert on ledger_transfers deferrable initially deferred
  for each row execute function ledger_transfer_whole();

revoke execute on function ledger_transfer_whole() from public;

-- A request can be decided once. The only change of a posted row is to reversed.
create or replace function statements_guard() returns trigger language plpgsql as $$
declare
  allowed statements := new;
begin
  allowed.status := old.status;
  allowed.updated_at := old.updated_at;
  allowed.hash := old.hash;
  if old.status = 'pending' and new.status in ('posted', 'declined') then
    allowed.transfer_id := old.transfer_id;
    allowed.seq := old.seq;
    allowed.available := old.available;
    allowed.balance := old.balance;
    allowed.period := old.period;
    allowed.has_amount := old.has_amount;
    allowed.fixed_freeze := old.fixed_freeze;
    allowed.posted_at := old.posted_at;
    allowed.decided_by := old.decided_by;
    allowed.decision_reason := old.decision_reason;
  elsif not (old.status in ('posted', case when old.type = 'top_up' then 'reversed' end) and new.status = 'reversed') then
    allowed := null;
  end if;
  if allowed is distinct from old then
    raise exception 'statements is append-only' using errcode = '23000', constraint = 'append_only';
  end if;
  return new;
end $$;

create or replace trigger statements_guard before update on statements for each row execute function statements_guard();

create or replace trigger statements_append_only before delete or truncate on statements execute function refuse_change();
create or replace trigger ledger_transfers_append_only before update or delete or truncate on ledger_transfers execute function refuse_change();
create or replace trigger ledger_entries_append_only before update or delete or truncate on ledger_entries execute function refuse_change();
create or replace trigger ledger_chain_append_only before update or delete or truncate on ledger_chain execute function refuse_change();
create or replace trigger ledger_no_op_causes_append_only before update or delete or truncate on ledger_no_op_causes execute function refuse_change();
create or replace trigger ledger_proofs_append_only before update or delete or truncate on ledger_proofs execute function refuse_change();
create or replace trigger statement_confirmations_append_only before update or delete or truncate on statement_confirmations for each statement execute function refuse_change_but_erasure();
