-- How a parcel is found (docs/decisions/0004): its keys are written with it.

-- A landline's keys are those of its whole number: before, only the area code in front of its first dash was kept.
create or replace function express_key_rows(e expresses) returns table (kind text, key text) language sql immutable as $$
  select 'd', upper(e.delivery_id) where e.delivery_id is not null
  union all select 'rd', reverse(upper(e.delivery_id)) where e.delivery_id is not null
  union all select 'd', upper(e.return_delivery_id) where e.return_delivery_id is not null
  union all select 'o', upper(e.order_id)
  union all select 'ro', reverse(upper(e.order_id))
  union all select 't', upper(e.thr_order_id) where e.thr_order_id <> ''
  union select 'p', reverse(digits) from (select regexp_replace(regexp_replace(phone, '^(1\d{10}|[48]00\d{7}|0\d{2,3}-\d{7,8})-\d+$', '\1'), '\D', '', 'g') as digits
    from unnest(array[e.sender_phone, e.receive_phone]) phone) p where length(digits) >= 4
  union select 'n', substr(name, at, 2) from unnest(array[e.sender_name, e.receive_name]) name, generate_series(1, greatest(length(name) - 1, 1)) at where name <> ''
$$;

create or replace function express_keys_write() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    delete from express_keys k where k.express_id = new.id;
  end if;
  insert into express_keys (station_id, user_id, kind, key, express_id, tree_id)
    select distinct new.station_id, new.user_id, k.kind, k.key, new.id, new.tree_id from express_key_rows(new) k;
  return null;
end $$;

create or replace trigger express_keys_insert after insert on expresses for each row execute function express_keys_write();
create or replace trigger express_keys_update after update on expresses for each row
  when ((old.delivery_id, old.return_delivery_id, old.thr_order_id, old.sender_phone, old.receive_phone, old.sender_name, old.receive_name)
    is distinct from (new.delivery_id, new.return_delivery_id, new.thr_order_id, new.sender_phone, new.receive_phone, new.sender_name, new.receive_name))
  execute function express_keys_write();
