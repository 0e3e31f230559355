-- Search keys of parcels (docs/decisions/0004 and 0036). Triggers write them together with the
-- parcel.

-- Digits of a phone without its extension. The digits of a landline include the area code.
create or replace function phone_digits(phone text) returns text language sql immutable parallel safe as $$
  select regexp_replace(regexp_replace(phone, '^(1\d{10}|[48]00\d{7}|0\d{2,3}-\d{7,8})-\d+$', '\1'), '\D', '', 'g')
$$;

create or replace function express_key_list(e expresses) returns table (kind smallint, key text) language sql immutable as $$
  select 1::smallint, number from unnest(array[upper(e.delivery_id), upper(e.return_delivery_id), upper(e.order_id), upper(nullif(e.thr_order_id, ''))]
      || array(select upper(id) from unnest(e.package_ids) id)) number
    where number is not null
  union select 2::smallint, reverse(number) from unnest(array[upper(e.delivery_id), upper(e.order_id)]
      || array(select upper(id) from unnest(e.package_ids) id)) number where number is not null
  union select 3::smallint, reverse(phone_digits(phone)) from unnest(array[e.sender_phone, e.receive_phone]) phone where length(phone_digits(phone)) >= 4
  union select 4::smallint, substr(name, at, 2) from unnest(array[e.sender_name, e.receive_name]) name, generate_series(1, greatest(length(name) - 1, 1)) at
    where name <> ''
$$;

create or replace function express_keys_write() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into express_keys (station_id, user_id, express_id, kind, key)
      select new.station_id, new.user_id, new.id, k.kind, k.key from express_key_list(new) k;
    return null;
  end if;
  -- Most updates that fire this trigger only add the waybill number from the carrier.
  if old.delivery_id is null and (old.return_delivery_id, old.thr_order_id, old.sender_phone, old.receive_phone, old.sender_name, old.receive_name, old.package_ids)
    is not distinct from (new.return_delivery_id, new.thr_order_id, new.sender_phone, new.receive_phone, new.sender_name, new.receive_name, new.package_ids) then
    insert into express_keys (station_id, user_id, express_id, kind, key)
      values (new.station_id, new.user_id, new.id, 1, upper(new.delivery_id)), (new.station_id, new.user_id, new.id, 2, reverse(upper(new.delivery_id)))
      on conflict do nothing;
    return null;
  end if;
  with had as materialized (select * from express_key_list(old)),
    has as materialized (select * from express_key_list(new)),
    gone as (
      delete from express_keys k using (select * from had except select * from has) one
      where k.station_id = new.station_id and k.kind = one.kind and k.key = one.key and k.express_id = new.id)
  insert into express_keys (station_id, user_id, express_id, kind, key)
    select new.station_id, new.user_id, new.id, k.kind, k.key from (select * from has except select * from had) k;
  return null;
end $$;

create or replace trigger express_keys_insert after insert on expresses for each row execute function express_keys_write();
create or replace trigger express_keys_update after update of delivery_id, return_delivery_id, thr_order_id, sender_phone, receive_phone, sender_name, receive_name, package_ids on expresses
  for each row
  when ((old.delivery_id, old.return_delivery_id, old.thr_order_id, old.sender_phone, old.receive_phone, old.sender_name, old.receive_name, old.package_ids)
    is distinct from (new.delivery_id, new.return_delivery_id, new.thr_order_id, new.sender_phone, new.receive_phone, new.sender_name, new.receive_name, new.package_ids))
  execute function express_keys_write();
