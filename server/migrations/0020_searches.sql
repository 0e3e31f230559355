-- Precondition: 0004 made the key table, 0001 the accounts.

-- Whole phones that an account looked for outside its own station, by hour; the digest is keyed with the product's secret, so that the table names nobody.
create table phone_searches (
  account_id bigint not null references accounts (id),
  hour timestamptz not null,
  digest text not null,
  primary key (account_id, hour, digest)
);
grant select, insert, delete on phone_searches to {{app_role}};

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

select set_config('waystation.scope', 'all', true);
delete from express_keys k using expresses e where k.express_id = e.id and k.kind = 'p' and (e.sender_phone like '0%' or e.receive_phone like '0%');
insert into express_keys (station_id, user_id, kind, key, express_id)
  select e.station_id, e.user_id, k.kind, k.key, e.id from expresses e cross join lateral express_key_rows(e) k
  where k.kind = 'p' and (e.sender_phone like '0%' or e.receive_phone like '0%')
  on conflict do nothing;
