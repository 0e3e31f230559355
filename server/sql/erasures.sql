-- Erasing a person's data (docs/decisions/0149): what lies under hashes or is append-only, which the application role may not change itself.

alter table erasures enable row level security;
alter table erasures force row level security;
drop policy if exists erasures_scope on erasures;
create policy erasures_scope on erasures using ((select scope_all()));
revoke all on erasures from {{app_role}};
grant select, insert, update on erasures to {{app_role}};

drop policy if exists audit_log_erase on audit_log;
create policy audit_log_erase on audit_log for update using ((select scope_all()));

-- Whether a phone is the erased one: this extension alone, if it has one.
create or replace function erasure_has_phone(o erasures, phone text) returns boolean language sql immutable as $$
  select phone = o.phone or (phone_digits(o.phone) = regexp_replace(o.phone, '\D', '', 'g') and phone_digits(phone) = phone_digits(o.phone))
$$;

-- Whether a text has the phone and one of the names.
create or replace function erasure_in_text(o erasures, words text) returns boolean language sql immutable as $$
  select position(regexp_replace(o.phone, '\D', '', 'g') in translate(words, ' -', '')) > 0
    and exists (select 1 from unnest(o.names) n (name) where position(n.name in words) > 0)
$$;

-- Whether a text has the phone or one of the names, of two characters at least.
create or replace function erasure_near_text(o erasures, words text) returns boolean language sql immutable as $$
  select position(regexp_replace(o.phone, '\D', '', 'g') in translate(words, ' -', '')) > 0
    or exists (select 1 from unnest(o.names) n (name) where length(n.name) > 1 and position(n.name in words) > 0)
$$;

-- When the last thing happened to a parcel.
create or replace function express_ended_at(e expresses) returns timestamptz language sql immutable as
  $$ select greatest(e.created_at, e.ordered_at, e.signed_at, e.canceled_at, e.last_event_at, e.charged_at, e.handled_at) $$;

-- Blanks the chosen sides of a parcel of a running erasure, with the text of other rows about it. Its newest version is of the blanked parcel and
-- says so; the versions before lose their salts, each with an erasure record. False: neither side is the person's (any more). A side has the name `[erased]`.
create or replace function erase_parcel(erasure bigint, parcel bigint) returns boolean language plpgsql security definer set search_path = public, pg_temp as $$
declare
  scope text := current_setting('waystation.scope', true);
  o erasures;
  e expresses;
  sides smallint := 0;
  found_id bigint;
begin
  perform set_config('waystation.scope', 'all', true);
  select * into strict o from erasures where id = erasure and status = 'running' and decided_by is not null;
  select * into strict e from expresses where id = parcel for update;
  if parcel = any(o.senders) and e.sender_name = any(o.names) and erasure_has_phone(o, e.sender_phone) then sides := sides | 1::smallint; end if;
  if parcel = any(o.receivers) and e.receive_name = any(o.names) and erasure_has_phone(o, e.receive_phone) then sides := sides | 2::smallint; end if;
  if sides > 0 then
    if e.state_code not in (0, 90, 300, 420, 500) then raise exception 'parcel % is not finished', parcel using errcode = '23514', constraint = 'erased_finished'; end if;
    update expresses set erased = e.erased | sides, version = version + 1, remark = '', description = '', order_request = null, print_data = null,
      state_remark = '', state_reason = null, cancel_reason = '', handled_note = '',
      sender_name = case when sides & 1 = 1 then '[erased]' else sender_name end, sender_phone = case when sides & 1 = 1 then '' else sender_phone end,
      sender_address = case when sides & 1 = 1 then '' else sender_address end, sender_id = case when sides & 1 = 1 then null else sender_id end,
      receive_name = case when sides & 2 = 2 then '[erased]' else receive_name end, receive_phone = case when sides & 2 = 2 then '' else receive_phone end,
      receive_address = case when sides & 2 = 2 then '' else receive_address end, receive_id = case when sides & 2 = 2 then null else receive_id end
    where id = parcel;
    with forgotten as (
      update express_versions v set salt = null where v.express_id = parcel and v.salt is not null
        and v.no < (select max(n.no) from express_versions n where n.express_id = parcel) returning v.no
    )
    insert into source_hashes (station_id, kind, k1, digest)
      select h.station_id, 'erasure', h.id, source_record_digest('erasure', h.id, 0, null, '')
      from forgotten f join source_hashes h on h.kind = 'version' and h.k1 = parcel and h.k2 = f.no;
    for found_id in select h.id from express_messages m join source_hashes h on h.kind = 'message' and h.k1 = m.id where m.express_id = parcel and h.salt is not null
      union all select h.id from source_hashes h where h.kind = 'fact' and h.k1 = parcel and h.salt is not null loop
      perform source_erase(found_id);
    end loop;
    for found_id in select h.id from reconciliation_rows l cross join lateral (select h.id, h.salt from source_hashes h where h.kind = 'bill_line' and h.k1 = l.id
        order by h.k2 desc limit 1) h where l.express_id = parcel and (l.cells is not null or l.note <> '') and h.salt is not null loop
      perform source_erase(found_id);
    end loop;
    update reconciliation_rows set cells = null, note = '' where express_id = parcel and (cells is not null or note <> '');
    update express_edits set request = '', words = '', changes = erased_changes(changes, 3::smallint) where express_id = parcel;
    delete from carrier_calls where express_id = parcel;
    update prints set note = '' where express_id = parcel and note <> '';
    perform set_config('waystation.erasing', 'on', true);
    update audit_log set changes = erased_changes(changes, sides) where subject = 'expresses' and subject_id = parcel
      and changes is distinct from erased_changes(changes, sides);
    perform set_config('waystation.erasing', '', true);
  end if;
  perform set_config('waystation.scope', coalesce(scope, ''), true);
  return sides > 0;
end $$;

-- Fields of a change without those of the sides (1 sender, 2 recipient) and without free text.
create or replace function erased_changes(changes jsonb, sides smallint) returns jsonb language sql immutable as $$
  select coalesce(jsonb_object_agg(f.key, f.value), '{}') from jsonb_each(case when jsonb_typeof(changes) = 'object' then changes else '{}' end) f
  where f.key not in ('remark', 'description', 'cancel_reason', 'handled_note')
    and not (sides & 1 = 1 and f.key like 'sender\_%') and not (sides & 2 = 2 and f.key like 'receive\_%')
$$;

-- Blanks the changes of the next `most` entries of the audit log after `low` that are about contacts of a running erasure, or have the person's phone and name.
-- Returns the last entry that was read, or null at the end, and how many were blanked.
create or replace function erase_audit(erasure bigint, low bigint, most integer) returns table (last bigint, blanked integer)
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  scope text := current_setting('waystation.scope', true);
  o erasures;
begin
  perform set_config('waystation.scope', 'all', true);
  select * into strict o from erasures where id = erasure and status = 'running' and decided_by is not null;
  select max(s.id) into last from (select a.id from audit_log a where a.id > low order by a.id limit least(most, 5000)) s;
  perform set_config('waystation.erasing', 'on', true);
  update audit_log a set changes = '{}' where a.id > low and a.id <= last and a.changes <> '{}'
    and ((a.subject = 'contacts' and a.subject_id = any(o.contacts)) or erasure_in_text(o, a.changes::text));
  get diagnostics blanked = row_count;
  perform set_config('waystation.erasing', '', true);
  perform set_config('waystation.scope', coalesce(scope, ''), true);
  return next;
end $$;

revoke execute on function erase_parcel(bigint, bigint), erase_audit(bigint, bigint, integer) from public;
grant execute on function erase_parcel(bigint, bigint), erase_audit(bigint, bigint, integer) to {{app_role}};
