-- Erasing a person's data (docs/decisions/0149). These functions change append-only tables and
-- personal text under hashes, which the application role may not change itself.

alter table erasures enable row level security;
alter table erasures force row level security;
drop policy if exists erasures_scope on erasures;
create policy erasures_scope on erasures using ((select scope_all()));
revoke all on erasures from {{app_role}};
grant select on erasures to {{app_role}};

drop policy if exists audit_log_erase on audit_log;
create policy audit_log_erase on audit_log for update using ((select scope_all()));

-- Whether `phone` is the phone of the erasure. A phone with an extension matches only with the same
-- extension.
create or replace function erasure_has_phone(o erasures, phone text) returns boolean language sql immutable as $$
  select phone = o.phone or (phone_digits(o.phone) = regexp_replace(o.phone, '\D', '', 'g') and phone_digits(phone) = phone_digits(o.phone))
$$;

-- Whether a text has the phone and one of the names.
create or replace function erasure_in_text(o erasures, words text) returns boolean language sql immutable as $$
  select position(regexp_replace(o.phone, '\D', '', 'g') in translate(words, ' -', '')) > 0
    and exists (select 1 from unnest(o.names) n (name) where position(n.name in words) > 0)
$$;

-- Whether some value of a document equals the phone or one of the names.
create or replace function erasure_is_value(o erasures, document jsonb) returns boolean language sql immutable as $$
  select exists (select 1 from jsonb_path_query(document, 'strict $.**') v (value)
    where jsonb_typeof(v.value) in ('string', 'number') and (trim(v.value #>> '{}') = any(o.names) or erasure_has_phone(o, trim(v.value #>> '{}'))))
$$;

-- Time of the last event of a parcel.
create or replace function express_ended_at(e expresses) returns timestamptz language sql immutable as
  $$ select greatest(e.created_at, e.ordered_at, e.signed_at, e.canceled_at, e.last_event_at, e.charged_at, e.handled_at) $$;

-- Whether a parcel is finished and its last event is older than the setting erase_after_days, but
-- at least 30 days, by the database's clock.
create or replace function express_is_erasable(e expresses) returns boolean language sql stable as $$
  select e.state_code in (0, 90, 300, 420, 500) and e.modifying = 0 and e.held_status is distinct from 'open'
    and express_ended_at(e) <= now() - make_interval(days => greatest(30, coalesce((select (value #>> '{}')::integer from settings where name = 'erase_after_days'), 180)))
$$;

-- Whether an account is enabled and has one of the roles.
create or replace function erasure_account(account bigint, roles text[]) returns boolean language sql stable as
  $$ select exists (select 1 from accounts a where a.id = account and a.status = 1 and a.role = any(roles)) $$;

-- Adds an erasure request. Each row must have the phone and one of the names. Each name must occur
-- in a row, or belong to a station or account of this phone.
create or replace function erasure_request(account bigint, request jsonb) returns bigint language plpgsql security definer set search_path = public, pg_temp as $$
declare
  scope text := current_setting('waystation.scope', true);
  o erasures := jsonb_populate_record(null::erasures, request);
  row_names text[];
  people text[];
  made bigint;
begin
  perform set_config('waystation.scope', 'all', true);
  if not erasure_account(account, '{super}') then raise exception 'account % may not request an erasure', account using errcode = '23514', constraint = 'erasure_requester'; end if;
  if coalesce(length(regexp_replace(o.phone, '\D', '', 'g')), 0) not between 7 and 24 or coalesce(cardinality(o.names), 0) = 0
      or exists (select 1 from unnest(o.names) n (name) where coalesce(trim(n.name), '') = '') or coalesce(trim(o.reason), '') = ''
      or cardinality(o.fingerprints) is distinct from cardinality(o.names) then
    raise exception 'an erasure names a phone, names and a reason' using errcode = '23514', constraint = 'erasure_person';
  end if;
  select coalesce(array_agg(f.name), '{}') into row_names from (
    select e.sender_name as name from expresses e where e.id = any(o.senders) and erasure_has_phone(o, e.sender_phone) and e.sender_name = any(o.names)
    union all select e.receive_name from expresses e where e.id = any(o.receivers) and erasure_has_phone(o, e.receive_phone) and e.receive_name = any(o.names)
    union all select c.name from contacts c where c.id = any(o.contacts) and erasure_has_phone(o, c.phone) and c.name = any(o.names)) f;
  select coalesce(array_agg(f.name), '{}') into people from (
    select coalesce(nullif(s.sender_name, ''), s.name) as name from stations s where erasure_has_phone(o, s.sender_phone)
    union all select coalesce(nullif(a.nickname, ''), a.username) from accounts a where erasure_has_phone(o, a.phone)) f;
  if cardinality(row_names) = 0 or cardinality(row_names) is distinct from cardinality(o.senders) + cardinality(o.receivers) + cardinality(o.contacts)
      or not o.names <@ (row_names || people) then
    raise exception 'an erasure is of rows with its phone and names' using errcode = '23514', constraint = 'erasure_rows';
  end if;
  insert into erasures (account_id, at, reason, phone, names, senders, receivers, contacts, salt, fingerprints, counts)
    values (account, now(), o.reason, o.phone, o.names, o.senders, o.receivers, o.contacts, o.salt, o.fingerprints, coalesce(o.counts, '{}')) returning id into made;
  perform set_config('waystation.scope', coalesce(scope, ''), true);
  return made;
end $$;

-- Reads an erasure and locks it until the end of the transaction. The application role has no right
-- to lock it, because it may not update the table.
create or replace function erasure_lock(erasure bigint) returns setof erasures language plpgsql security definer set search_path = public, pg_temp as $$
begin
  return query select o.* from erasures o where o.id = erasure and scope_all() for no key update;
end $$;

-- Approves an erasure request. The approving account is another than the requesting one and belongs
-- to the office.
create or replace function erasure_approve(erasure bigint, account bigint) returns void language plpgsql security definer set search_path = public, pg_temp as $$
declare
  scope text := current_setting('waystation.scope', true);
begin
  perform set_config('waystation.scope', 'all', true);
  update erasures o set status = 'running', decided_by = account, decided_at = now(), counts = '{}'
    where o.id = erasure and o.status = 'waiting' and o.account_id <> account and erasure_account(account, '{super,admin}');
  if not found then raise exception 'account % may not approve erasure %', account, erasure using errcode = '23514', constraint = 'erasure_approver'; end if;
  -- The proof reports an erased record that names no approval, so the approval gets a record too.
  insert into source_hashes (station_id, kind, k1, digest)
    select 0, 'erasure_approval', o.id, source_record_digest('erasure_approval', o.id, 0, null, erasure_text(o)) from erasures o where o.id = erasure;
  perform set_config('waystation.scope', coalesce(scope, ''), true);
end $$;

-- Declines or withdraws an erasure request and removes the person's data from it.
create or replace function erasure_cancel(erasure bigint, account bigint) returns void language plpgsql security definer set search_path = public, pg_temp as $$
declare
  scope text := current_setting('waystation.scope', true);
begin
  perform set_config('waystation.scope', 'all', true);
  update erasures o set status = 'cancelled', decided_by = account, decided_at = now(), phone = null, names = '{}', senders = '{}', receivers = '{}', contacts = '{}',
    fingerprints = '{}', counts = '{}'
    where o.id = erasure and o.status = 'waiting' and erasure_account(account, '{super,admin}');
  if not found then raise exception 'account % may not cancel erasure %', account, erasure using errcode = '23514', constraint = 'erasure_approver'; end if;
  perform set_config('waystation.scope', coalesce(scope, ''), true);
end $$;

-- Adds to the counts of a running erasure, in the transaction that blanks the rows.
create or replace function erasure_count(erasure bigint, more jsonb) returns void language plpgsql security definer set search_path = public, pg_temp as $$
declare
  scope text := current_setting('waystation.scope', true);
begin
  perform set_config('waystation.scope', 'all', true);
  update erasures o set counts = o.counts || (select coalesce(jsonb_object_agg(n.key, n.value::integer + coalesce((o.counts ->> n.key)::integer, 0)), '{}')
      from jsonb_each_text(more) n where n.value::integer > 0)
    where o.id = erasure and o.status = 'running';
  perform set_config('waystation.scope', coalesce(scope, ''), true);
end $$;

-- Ends a running erasure and returns its counts. Slow hashes are all that it keeps of the person.
create or replace function erasure_end(erasure bigint) returns jsonb language plpgsql security definer set search_path = public, pg_temp as $$
declare
  scope text := current_setting('waystation.scope', true);
  counted jsonb;
begin
  perform set_config('waystation.scope', 'all', true);
  update erasures o set status = 'done', done_at = now(), phone = null, names = '{}', senders = '{}', receivers = '{}', contacts = '{}'
    where o.id = erasure and o.status = 'running' returning o.counts into strict counted;
  perform set_config('waystation.scope', coalesce(scope, ''), true);
  return counted;
end $$;

-- Blanks the chosen sides of a parcel of a running erasure, and the text of other rows about the
-- parcel. A blanked side has the name `[erased]`. The parcel's newest version describes the blanked
-- parcel and says that it was erased. Earlier versions lose their salts, and each gets an erasure
-- record. Returns false if neither side belongs to the person (any more).
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
    if not express_is_erasable(e) then raise exception 'parcel % is not finished or too young', parcel using errcode = '23514', constraint = 'erased_finished'; end if;
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
    insert into source_hashes (station_id, kind, k1, k2, digest)
      select h.station_id, 'erasure', h.id, erasure, source_record_digest('erasure', h.id, erasure, null, '')
      from forgotten f join source_hashes h on h.kind = 'version' and h.k1 = parcel and h.k2 = f.no;
    for found_id in select h.id from express_messages m join source_hashes h on h.kind = 'message' and h.k1 = m.id where m.express_id = parcel and h.salt is not null
      union all select h.id from source_hashes h where h.kind = 'fact' and h.k1 = parcel and h.salt is not null loop
      perform source_erase_for(found_id, erasure);
    end loop;
    for found_id in select h.id from reconciliation_rows l cross join lateral (select h.id, h.salt from source_hashes h where h.kind = 'bill_line' and h.k1 = l.id
        order by h.k2 desc limit 1) h where l.express_id = parcel and l.decision not in ('open', 'disputed') and (l.cells is not null or l.note <> '') and h.salt is not null loop
      perform source_erase_for(found_id, erasure);
    end loop;
    -- Keeps open and disputed lines, and the file of the bill: they are evidence against the
    -- carrier.
    update reconciliation_rows set cells = null, note = '' where express_id = parcel and decision not in ('open', 'disputed') and (cells is not null or note <> '');
    update express_edits set request = '', words = '', changes = erased_changes(changes, 3::smallint) where express_id = parcel;
    delete from carrier_calls where express_id = parcel;
    -- Searches by waybill, because an index exists for it.
    update prints set note = '' where delivery_id = e.delivery_id and express_id = parcel and note <> '';
    perform set_config('waystation.erasing', 'on', true);
    -- A reason may repeat text that is blanked on the parcel and its facts.
    update audit_log set changes = erased_changes(changes, sides), reason = '' where subject = 'expresses' and subject_id = parcel
      and (changes is distinct from erased_changes(changes, sides) or reason <> '');
    perform set_config('waystation.erasing', '', true);
  end if;
  perform set_config('waystation.scope', coalesce(scope, ''), true);
  return sides > 0;
end $$;

-- The changes without the fields of the blanked sides (1 sender, 2 recipient) and without free
-- text.
create or replace function erased_changes(changes jsonb, sides smallint) returns jsonb language sql immutable as $$
  select coalesce(jsonb_object_agg(f.key, f.value), '{}') from jsonb_each(case when jsonb_typeof(changes) = 'object' then changes else '{}' end) f
  where f.key not in ('remark', 'description', 'cancel_reason', 'handled_note')
    and not (sides & 1 = 1 and f.key like 'sender\_%') and not (sides & 2 = 2 and f.key like 'receive\_%')
$$;

-- Reads the next `most` entries of the audit log after `low` and blanks the person's data in them.
-- It blanks the changes of entries about contacts of the erasure and of entries that have the
-- person's phone and name. It blanks the filters of exports that have either. Entries after the
-- approval stay, and so do those about erasures and searches of persons. It adds an audit entry
-- with the number of blanked entries. Returns the last entry it read (null at the end) and the
-- number of blanked entries.
create or replace function erase_audit(erasure bigint, low bigint, most integer) returns table (last bigint, blanked integer)
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  scope text := current_setting('waystation.scope', true);
  o erasures;
  filtered integer;
begin
  perform set_config('waystation.scope', 'all', true);
  select * into strict o from erasures where id = erasure and status = 'running' and decided_by is not null;
  select max(s.id) into last from (select a.id from audit_log a where a.id > low order by a.id limit least(most, 5000)) s;
  perform set_config('waystation.erasing', 'on', true);
  update audit_log a set changes = '{}' where a.id > low and a.id <= last and a.at <= o.decided_at and a.subject <> 'personal_data' and a.changes <> '{}'
    and ((a.subject = 'contacts' and a.subject_id = any(o.contacts)) or erasure_in_text(o, a.changes::text));
  get diagnostics blanked = row_count;
  -- An export records its filters, which may contain the phone or a name alone.
  update audit_log a set changes = a.changes || '{"filters": [null, {}]}' where a.id > low and a.id <= last and a.at <= o.decided_at and a.action = 'export'
    and a.changes ? 'filters' and erasure_is_value(o, a.changes -> 'filters');
  get diagnostics filtered = row_count;
  blanked := blanked + filtered;
  perform set_config('waystation.erasing', '', true);
  if blanked > 0 then
    insert into audit_log (account_name, role, action, subject, subject_id, changes)
      values ('system', 'system', 'blank_entries', 'personal_data', erasure, jsonb_build_object('rows', array[null, blanked]));
  end if;
  perform set_config('waystation.scope', coalesce(scope, ''), true);
  return next;
end $$;

revoke execute on function erase_parcel(bigint, bigint), erase_audit(bigint, bigint, integer), erasure_request(bigint, jsonb), erasure_lock(bigint),
  erasure_approve(bigint, bigint), erasure_cancel(bigint, bigint), erasure_count(bigint, jsonb), erasure_end(bigint) from public;
grant execute on function erase_parcel(bigint, bigint), erase_audit(bigint, bigint, integer), erasure_request(bigint, jsonb), erasure_lock(bigint),
  erasure_approve(bigint, bigint), erasure_cancel(bigint, bigint), erasure_count(bigint, jsonb), erasure_end(bigint) to {{app_role}};
