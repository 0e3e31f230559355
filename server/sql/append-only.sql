-- Trigger functions of tables whose rows are added and never changed; the triggers stand with their tables.

create or replace function refuse_change() returns trigger language plpgsql as
  $$ begin raise exception '% is append-only', tg_table_name using errcode = '23000', constraint = 'append_only'; end $$;

-- As refuse_change, but for prune_audit_log (server/sql/retention.sql) and an erasure (server/sql/erasures.sql), which the owner alone may be.
create or replace function refuse_change_but_pruning() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and current_setting('waystation.pruning', true) = 'on' then return null; end if;
  if tg_op = 'UPDATE' and current_setting('waystation.erasing', true) = 'on' then return null; end if;
  raise exception '% is append-only', tg_table_name using errcode = '23000', constraint = 'append_only';
end $$;

-- As refuse_change, but for an erasure of personal text.
create or replace function refuse_change_but_erasure() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and current_setting('waystation.erasing', true) = 'on' then return new; end if;
  raise exception '% is append-only', tg_table_name using errcode = '23000', constraint = 'append_only';
end $$;
