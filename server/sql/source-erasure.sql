-- Erasing personal text under the hashes (docs/decisions/0019).

-- Blanks the personal text of a record's row for good and deletes its salt. The erasure is a
-- record, too. It names the approved erasure of a person, or 0.
create or replace function source_erase_for(record_id bigint, erasure bigint) returns void language plpgsql security definer set search_path = public, pg_temp as $$
declare
  scope text := current_setting('waystation.scope', true);
  r source_hashes;
begin
  perform set_config('waystation.scope', 'all', true);
  select * into strict r from source_hashes where id = record_id and kind in ('fact', 'message', 'bill_line', 'payment', 'confirmation', 'handover') and personal is not null and salt is not null;
  perform set_config('waystation.erasing', 'on', true);
  case r.kind
    when 'fact' then update express_facts set reason = '' where (express_id, no) = (r.k1, r.k2);
    when 'message' then update express_messages set title = '', remark = '', operator_name = '', place = '', cancel_reason = '', raw = 'null' where id = r.k1;
    when 'payment' then update reconciliation_payments set description = '' where id = r.k1;
    when 'confirmation' then update statement_confirmations set confirmed_by_name = '', note = '' where id = r.k1;
    when 'handover' then update handovers set courier_name = '', note = '' where id = r.k1;
    else update reconciliation_rows set cells = null, note = '' where id = r.k1;
  end case;
  perform set_config('waystation.erasing', '', true);
  -- The update above wrote a new record of a bill line, so the salts of its earlier records are
  -- deleted too.
  update source_hashes set salt = null where (id = r.id or (kind = r.kind and kind = 'bill_line' and k1 = r.k1 and id <> (select max(id) from source_hashes where kind = r.kind and k1 = r.k1))) and salt is not null;
  insert into source_hashes (station_id, kind, k1, k2, digest) values (r.station_id, 'erasure', r.id, erasure, source_record_digest('erasure', r.id, erasure, null, ''));
  perform set_config('waystation.scope', coalesce(scope, ''), true);
end $$;

-- Blanks a record without an approved erasure of a person. Only the owner of the database may call
-- it.
create or replace function source_erase(record_id bigint) returns void language sql security definer set search_path = public, pg_temp as
  $$ select source_erase_for(record_id, 0) $$;

revoke execute on function source_erase(bigint), source_erase_for(bigint, bigint) from public;
