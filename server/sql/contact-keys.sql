-- Search keys of contacts (requirements §10.11.19): a few characters find a contact. Triggers write
-- the keys together with the contact.

-- Removes the pinyin of a former name; the application then computes the pinyin of the new one.
create or replace function clear_pinyin() returns trigger language plpgsql as $$
begin
  new.pinyin := null;
  return new;
end $$;
create or replace trigger contacts_pinyin before update of name on contacts for each row
  when (old.name <> new.name and old.pinyin is not distinct from new.pinyin) execute function clear_pinyin();
create or replace trigger stations_pinyin before update of name on stations for each row
  when (old.name <> new.name and old.pinyin is not distinct from new.pinyin) execute function clear_pinyin();
create or replace trigger vouchers_pinyin before update of name on vouchers for each row
  when (old.name <> new.name and old.pinyin is not distinct from new.pinyin) execute function clear_pinyin();
create or replace trigger accounts_pinyin before update of nickname on accounts for each row
  when (old.nickname <> new.nickname and old.pinyin is not distinct from new.pinyin) execute function clear_pinyin();

alter table contact_keys enable row level security;
alter table contact_keys force row level security;
drop policy if exists contact_keys_scope on contact_keys;
create policy contact_keys_scope on contact_keys using ((select scope_all()) or station_id = any ((select scope_stations())::bigint[]))
  with check ((select scope_all()) or station_id = any ((select scope_stations())::bigint[]));

revoke all on contact_keys from {{app_role}};
grant select, insert, delete on contact_keys to {{app_role}};

-- One key may occur twice. Each of the first thirty characters starts a key of twenty characters; a
-- longer search text is compared with the contacts found by its key.
create or replace function contact_key_list(name text, phone text, pinyin text) returns table (kind smallint, key text) language sql immutable as $$
  select 1::smallint, substr(lower(name), at, 20) from generate_series(1, least(greatest(length(name) - 1, 1), 30)) at
  union all select 1::smallint, read from unnest(string_to_array(pinyin, ' ')) read where read <> ''
  union all select 2::smallint, reverse(digits) from phone_digits(phone) digits where digits <> ''
$$;

-- Writes the keys of all rows of a statement at once: a statement may copy a whole address book.
create or replace function contact_keys_add() returns trigger language plpgsql as $$
begin
  insert into contact_keys (station_id, kind, key, contact_id)
    select c.station_id, k.kind, k.key, c.id from added c cross join lateral contact_key_list(c.name, c.phone, c.pinyin) k on conflict do nothing;
  return null;
end $$;

create or replace function contact_keys_change() returns trigger language plpgsql as $$
begin
  with had as materialized (select * from contact_key_list(old.name, old.phone, old.pinyin)),
    has as materialized (select * from contact_key_list(new.name, new.phone, new.pinyin)),
    gone as (
      delete from contact_keys k using (select * from had except select * from has) one
      where k.station_id = new.station_id and k.kind = one.kind and k.key = one.key and k.contact_id = new.id)
  -- A contact that is older than this table has no keys yet, so this adds all of them.
  insert into contact_keys (station_id, kind, key, contact_id)
    select new.station_id, k.kind, k.key, new.id from has k on conflict do nothing;
  return null;
end $$;

create or replace trigger contact_keys_insert after insert on contacts referencing new table as added
  for each statement execute function contact_keys_add();
create or replace trigger contact_keys_update after update of name, phone, pinyin on contacts for each row
  when ((old.name, old.phone) is distinct from (new.name, new.phone) or old.pinyin is not null and old.pinyin is distinct from new.pinyin) execute function contact_keys_change();

-- Pinyin that was empty and is filled in only adds keys. One insert for the whole statement costs a
-- third of an insert for each row.
create or replace function contact_keys_fill() returns trigger language plpgsql as $$
begin
  insert into contact_keys (station_id, kind, key, contact_id)
    select n.station_id, k.kind, k.key, n.id from had o join has n using (id) cross join lateral contact_key_list(n.name, n.phone, n.pinyin) k
    where o.pinyin is null and n.pinyin is not null and (o.name, o.phone) = (n.name, n.phone) on conflict do nothing;
  return null;
end $$;
create or replace trigger contact_keys_fill after update on contacts referencing old table as had new table as has
  for each statement execute function contact_keys_fill();
