-- Numbers are never given out twice, even if the newest rows were lost (docs/decisions/0137).

alter table number_generations enable row level security;
drop policy if exists number_generations_read on number_generations;
create policy number_generations_read on number_generations for select using (true);
revoke all on number_generations from {{app_role}};
grant select on number_generations to {{app_role}};

-- A number above all numbers given out before now: no sequence gives out more than `each_second`
-- numbers a second on average since 2026.
create or replace function number_floor(each_second bigint) returns bigint language sql volatile set search_path = public, pg_temp as
  $$ select greatest(0, extract(epoch from clock_timestamp() - timestamptz '2026-01-01 00:00:00Z') * each_second)::bigint $$;

-- How many numbers of a sequence an installation has. Its ids begin at its own number times 2^45,
-- which JavaScript reads exactly up to installation 255. Its order numbers begin at its own number
-- times 10^12, so that the digits before the last twelve name the installation.
create or replace function number_range(sequence_name text) returns bigint language sql immutable set search_path = public, pg_temp as
  $$ select case when sequence_name = 'express_order_numbers' then 1000000000000 else 35184372088832 end $$;

-- The number to go on at within an installation's range. If the last number is above the floor, it
-- adds a random step, so that two databases that lost different rows do not go on at the same
-- number.
create or replace function number_start_within(sequence_name text, last_number bigint, installation bigint) returns bigint language plpgsql volatile set search_path = public, pg_temp as $$
declare
  each_second bigint := case when sequence_name = 'express_order_numbers' then 1000 else 10000 end;
  first_number bigint := installation * number_range(sequence_name);
  start bigint := first_number + number_floor(each_second);
begin
  if start <= last_number then start := last_number + 100000 + floor(random() * 100000 * each_second)::bigint; end if;
  if start >= first_number + number_range(sequence_name) then
    raise exception 'the numbers of % are used up for installation %', sequence_name, installation;
  end if;
  return start;
end $$;

-- Timeline of the database, which changes with each promotion of a standby and each recovery to a
-- point in time. The name of the current WAL file has it at once; the control file has it only
-- after a checkpoint.
create or replace function database_timeline() returns text language sql volatile set search_path = public, pg_temp as
  $$ select left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) $$;

-- Empty if the server does not let the owner read it.
create or replace function database_system() returns text language plpgsql stable set search_path = public, pg_temp as $$
begin
  return (select system_identifier::text from pg_control_system());
exception when insufficient_privilege then return '';
end $$;

-- The installation whose numbers this database gives out.
create or replace function present_installation() returns bigint language sql stable set search_path = public, pg_temp as
  $$ select coalesce((select installation from number_generations order by no desc limit 1), 0)::bigint $$;

-- Raises every sequence above all numbers that can have been given out, even by a database whose
-- newest rows are lost. Sequences stay raised if the transaction fails. It waits for parcels that
-- are being stored, so that the gap in the numbers begins after the newest parcel.
create or replace function raise_generation_as(why text, installation_no bigint) returns bigint language plpgsql security definer set search_path = public, pg_temp set lock_timeout = '5s' as $$
declare
  sequence record;
  generation bigint;
begin
  perform pg_advisory_xact_lock(hashtextextended('number_generation', 0));
  lock table expresses in share mode;
  for sequence in select format('%I.%I', schemaname, sequencename)::regclass as id, sequencename as name, coalesce(last_value, 0) as last
      from pg_sequences where schemaname = 'public' loop
    perform setval(sequence.id, number_start_within(sequence.name, sequence.last, installation_no));
  end loop;
  insert into number_generations (no, cause, system_identifier, timeline, parcels_below, parcels_above, installation)
    select coalesce(max(no), 0) + 1, why, database_system(), database_timeline(), (select coalesce(max(id), 0) from expresses),
      (select last_value from pg_sequences where schemaname = 'public' and sequencename = 'expresses_id_seq'), installation_no from number_generations
    returning no into generation;
  return generation;
end $$;

drop function if exists number_start(bigint, bigint);

create or replace function raise_generation(why text) returns bigint language sql security definer set search_path = public, pg_temp as
  $$ select raise_generation_as(why, present_installation()) $$;

-- Makes this database the installation `wanted`: all its new numbers lie in that one's range. Null
-- if it was that installation already. A lower one than the present is refused, because it would
-- give numbers out again.
create or replace function use_installation(wanted bigint) returns bigint language plpgsql set search_path = public, pg_temp as $$
declare
  present bigint := present_installation();
begin
  if wanted = present then return null; end if;
  if wanted < present then
    raise exception 'this database has the numbers of installation %: a lower one would give numbers out again', present using errcode = 'WS002';
  end if;
  return raise_generation_as('installation', wanted);
end $$;

-- The reason why this is another database than `known` says: promoted, recovered to a point in
-- time, or loaded elsewhere. Null if it is the same database.
create or replace function generation_moved(known number_generations) returns text language sql volatile set search_path = public, pg_temp as $$
  select case when known.system_identifier <> '' and database_system() <> '' and known.system_identifier <> database_system() then 'system'
    when known.timeline <> database_timeline() then 'timeline' end
$$;

-- Raises the generation if this is another database than at the last check, and returns the cause.
-- Every new connection of the application calls it first, in a transaction of its own.
create or replace function raise_generation_if_moved() returns text language plpgsql security definer set search_path = public, pg_temp as $$
declare
  known number_generations;
  moved text;
begin
  select * into known from number_generations order by no desc limit 1;
  if known.no is not null and generation_moved(known) is null then return null; end if;
  perform pg_advisory_xact_lock(hashtextextended('number_generation', 0));
  select * into known from number_generations order by no desc limit 1;
  if known.no is null then
    insert into number_generations (no, cause, system_identifier, timeline) values (1, 'first', database_system(), database_timeline());
    return null;
  end if;
  moved := generation_moved(known);
  if moved is not null then perform raise_generation(moved); end if;
  return moved;
end $$;

-- The next order number. Behind a pooler a connection can outlive a promotion. Such a connection
-- fails here and is closed (db/standby.ts); the next connection raises the generation.
create or replace function next_order_number() returns bigint language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if (select timeline from number_generations order by no desc limit 1) <> database_timeline() then
    raise exception 'the database was promoted under this connection' using errcode = 'WS001';
  end if;
  return nextval('express_order_numbers');
end $$;

revoke execute on function raise_generation(text), raise_generation_as(text, bigint), use_installation(bigint), raise_generation_if_moved(), next_order_number() from public;
grant execute on function raise_generation_if_moved(), next_order_number() to {{app_role}};
