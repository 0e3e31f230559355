-- Precondition: 0026.
-- Every row that belongs to a station carries `tree_id`: the tree its station belonged to when the row was made (docs/decisions/0038). A tree is named by the
-- station at the top of the chain; 0 is the platform's own. The column places rows, never changes and grants nothing: scope stays `station_id`.

-- The present tree of every station. A table of its own, so that a move locks and rewrites no row that holds money.
create table station_trees (
  station_id bigint primary key references stations (id) on delete cascade,
  tree_id bigint not null
);

select set_config('waystation.scope', 'all', true);

insert into station_trees (station_id, tree_id)
  with recursive down as (
    select id, id as tree_id from stations where parent_id is null
    union all select s.id, d.tree_id from stations s join down d on s.parent_id = d.id)
  select id, tree_id from down;

create function pg_temp.tree_of(station bigint) returns bigint language plpgsql stable as $$
begin
  return coalesce((select t.tree_id from public.station_trees t where t.station_id = station), 0);
end $$;

-- The entries of one transfer lie together, those on the platform's accounts too.
create function pg_temp.tree_of_transfer(transfer bigint) returns bigint language plpgsql stable as $$
begin
  return pg_temp.tree_of((select t.station_id from public.ledger_transfers t where t.id = transfer));
end $$;

-- Each table is rewritten once, with its indexes; an update would leave every row twice and fire the triggers that refuse changes.
do $$
declare
  name text;
begin
  foreach name in array '{audit_log, contacts, express_counts, express_days, express_edits, express_facts, express_keys, express_messages, express_moves,
    express_versions, expresses, ledger_chain, ledger_days, ledger_holds, ledger_transfers, period_balances, prints, source_blocks,
    source_hashes, statement_confirmations, statements}'::text[] loop
    execute format('alter table %I add column tree_id bigint not null default 0', name);
    execute format('alter table %I alter column tree_id type bigint using pg_temp.tree_of(station_id)', name);
  end loop;
  alter table ledger_entries add column tree_id bigint not null default 0;
  alter table ledger_entries alter column tree_id type bigint using pg_temp.tree_of_transfer(transfer_id);
end $$;
