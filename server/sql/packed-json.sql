-- JSON as its values and the name of its shape: what many rows repeat, their keys, is stored once (json_shapes).

-- Names no row of anybody: keys alone.
alter table json_shapes enable row level security;
alter table json_shapes force row level security;
drop policy if exists json_shapes_all on json_shapes;
create policy json_shapes_all on json_shapes using (true);

revoke all on json_shapes from {{app_role}};
grant select on json_shapes to {{app_role}};

create or replace trigger json_shapes_append_only before update or delete or truncate on json_shapes execute function refuse_change();

-- The name of a shape: 120 bits of its template's hash. Hashes cover the name alone, and the proof compares names and templates.
create or replace function json_shape_name(template text) returns text language sql immutable parallel safe as
  $$ select encode(substr(sha256(convert_to(template, 'UTF8')), 1, 15), 'base64') $$;

-- The name, of twenty characters, and the values: JSON texts with U+001F between them, which JSON has in no text. A new template is stored.
create or replace function json_pack(template text, vals text) returns text language plpgsql volatile security definer set search_path = public, pg_temp as $$
declare
  shape text := json_shape_name(template);
begin
  if not exists (select from json_shapes s where s.id = shape) then
    insert into json_shapes (id, template) values (shape, json_pack.template) on conflict do nothing;
  end if;
  return shape || vals;
end $$;

-- Null: it has been altered, so that no JSON comes of it.
create or replace function json_unpack(packed text) returns jsonb language plpgsql stable as $$
begin
  return (select format(s.template, variadic string_to_array(substr(packed, 21), E'\x1f'))::jsonb from json_shapes s where s.id = left(packed, 20));
exception when data_exception then return null;
end $$;

create or replace function fact_price(f express_facts) returns jsonb language sql stable as $$ select coalesce(f.price, json_unpack(f.packed_price)) $$;

create or replace function version_content(v express_versions) returns jsonb language sql stable as $$ select coalesce(v.content, json_unpack(v.packed_content)) $$;

revoke execute on function json_pack(text, text) from public;
grant execute on function json_pack(text, text) to {{app_role}};
