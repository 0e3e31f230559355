-- Trigger functions for append-only tables. The files of those tables create the triggers.

create or replace function refuse_change() returns trigger language plpgsql as
  $$ begin raise exception '% is append-only', tg_table_name using errcode = '23000', constraint = 'append_only'; end $$;

-- Like refuse_change, but allows prune_audit_log (server/sql/retention.sql) and an erasure
-- (server/sql/erasures.sql), whose functions run as the owner of the database.
create or replace function refuse_change_but_pruning() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and current_setting('waystation.pruning', true) = 'on' then return null; end if;
  if tg_op = 'UPDATE' and current_setting('waystation.erasing', true) = 'on' then return null; end if;
  raise exception '% is append-only', tg_table_name using errcode = '23000', constraint = 'append_only';
end $$;

-- Like refuse_change, but allows an erasure of personal text.
create or replace function refuse_change_but_erasure() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and current_setting('waystation.erasing', true) = 'on' then return new; end if;
  raise exception '% is append-only', tg_table_name using errcode = '23000', constraint = 'append_only';
end $$;
