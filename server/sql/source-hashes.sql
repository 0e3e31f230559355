-- Facts that feed the ledger are under hashes (docs/ledger.md, "Sources"; docs/decisions/0019).
-- Triggers write one record for each row in the same transaction. The application role may only
-- read these tables, in a scope of everything. Row-level security is not forced on them, because
-- the owner's triggers write them in any scope.

alter table frozen_terms enable row level security;
drop policy if exists frozen_terms_scope on frozen_terms;
create policy frozen_terms_scope on frozen_terms using ((select scope_all()));

alter table express_versions enable row level security;
drop policy if exists express_versions_scope on express_versions;
create policy express_versions_scope on express_versions using ((select scope_all()));

alter table source_hashes enable row level security;
drop policy if exists source_hashes_scope on source_hashes;
create policy source_hashes_scope on source_hashes using ((select scope_all()));

alter table source_blocks enable row level security;
drop policy if exists source_blocks_scope on source_blocks;
create policy source_blocks_scope on source_blocks using ((select scope_all()));

alter table period_closings enable row level security;
drop policy if exists period_closings_scope on period_closings;
create policy period_closings_scope on period_closings using ((select scope_all()));

revoke all on frozen_terms, express_versions, source_hashes, source_blocks, period_closings from {{app_role}};
grant select on frozen_terms, express_versions, source_hashes, source_blocks, period_closings to {{app_role}};

-- Hashes cover prices of parcels, facts, carrier messages, decided bill lines, payments, closings,
-- published prices, confirmed months, approvals, closed hand-overs and settings. A proof gathers
-- the new records of a station into one block of its chain.
create or replace function source_digest(value text) returns bytea language sql immutable parallel safe as $$ select sha256(convert_to(value, 'UTF8')) $$;

-- The form in which personal text enters a hash. Without the salt nobody can guess the text, and
-- erasing both text and salt breaks no hash.
create or replace function source_personal(salt bytea, value text) returns bytea language sql immutable parallel safe as
  $$ select sha256(salt || convert_to(value, 'UTF8')) $$;

create or replace function source_salt() returns bytea language sql volatile as $$ select uuid_send(gen_random_uuid()) $$;

create or replace function express_content(e expresses) returns jsonb language sql stable as $$
  select jsonb_build_object('order_id', e.order_id, 'user_id', e.user_id, 'attempt', e.attempt, 'customer_code', e.customer_code, 'provider', e.provider,
    'merchant_id', e.merchant_id, 'project_id', e.project_id, 'voucher_id', e.voucher_id, 'voucher_no', e.voucher_no, 'promise_id', e.promise_id,
    'package_count', e.package_count, 'guarantee_value_amount', e.guarantee_value_amount, 'trans_type', e.trans_type, 'goods_type', e.goods_type,
    'weight', e.weight, 're_weight', e.re_weight, 'jd_weight', e.jd_weight, 'jd_cal_weight', e.jd_cal_weight, 'jd_volume', e.jd_volume,
    'cal_weight', e.cal_weight, 'length', e.length, 'width', e.width, 'height', e.height, 'guarantee_amount', e.guarantee_amount,
    'surcharge_amount', e.surcharge_amount, 'pre_amount', e.pre_amount, 'post_amount', e.post_amount, 'discount', e.discount,
    'discount_amount', e.discount_amount, 'jd_amount', e.jd_amount, 'surcharges', e.surcharges, 'shares', e.shares, 'simulated', e.simulated,
    'price_lines', encode(source_digest(e.price_lines::text), 'hex'))
    -- Versions of an erased person say that it was erased. All others keep the text, and so the
    -- hash, that they had before erasures existed.
    || case when e.erased > 0 then jsonb_build_object('erased', e.erased) else '{}' end
$$;

-- The same as a template and its values, in the order of its keys (server/sql/packed-json.sql).
create or replace function express_content_template(erased smallint) returns text language sql immutable as $$
  select
    '{"order_id": %s, "user_id": %s, "attempt": %s, "customer_code": %s, "provider": %s, "merchant_id": %s, "project_id": %s, '
      || '"voucher_id": %s, "voucher_no": %s, "promise_id": %s, "package_count": %s, "guarantee_value_amount": %s, "trans_type": %s, '
      || '"goods_type": %s, "weight": %s, "re_weight": %s, "jd_weight": %s, "jd_cal_weight": %s, "jd_volume": %s, "cal_weight": %s, '
      || '"length": %s, "width": %s, "height": %s, "guarantee_amount": %s, "surcharge_amount": %s, "pre_amount": %s, "post_amount": %s, '
      || '"discount": %s, "discount_amount": %s, "jd_amount": %s, "surcharges": %s, "shares": %s, "simulated": %s, "price_lines": %s'
      || case when erased > 0 then ', "erased": %s}' else '}' end
$$;

create or replace function express_content_values(e expresses) returns text language sql stable as $$
  select array_to_string(array[
    to_json(e.order_id)::text, e.user_id::text, e.attempt::text, to_json(e.customer_code)::text, to_json(e.provider)::text,
      coalesce(e.merchant_id::text, 'null'), coalesce(e.project_id::text, 'null'), coalesce(e.voucher_id::text, 'null'),
      coalesce(e.voucher_no::text, 'null'), to_json(e.promise_id)::text, e.package_count::text, e.guarantee_value_amount::text,
      to_json(e.trans_type)::text, e.goods_type::text, e.weight::text, coalesce(e.re_weight::text, 'null'), coalesce(e.jd_weight::text, 'null'),
      coalesce(e.jd_cal_weight::text, 'null'), coalesce(e.jd_volume::text, 'null'), coalesce(e.cal_weight::text, 'null'), e.length::text,
      e.width::text, e.height::text, e.guarantee_amount::text, e.surcharge_amount::text, e.pre_amount::text, e.post_amount::text,
      coalesce(e.discount::text, 'null'), e.discount_amount::text, coalesce(e.jd_amount::text, 'null'), coalesce(e.surcharges::text, 'null'),
      coalesce(e.shares::text, 'null'), to_json(e.simulated)::text, to_json(encode(source_digest(e.price_lines::text), 'hex'))::text
    ] || case when e.erased > 0 then array[e.erased::text] end, E'\x1f')
$$;

-- Every version of an erased person says so.
create or replace function version_is_erased(v express_versions) returns boolean language sql stable as $$
  select case when v.content is null then left(v.packed_content, 20) <> json_shape_name(express_content_template(0::smallint)) and version_content(v) ? 'erased'
    else v.content ? 'erased' end
$$;

-- Whether this is the content of the version.
create or replace function express_fits_version(e expresses, v express_versions) returns boolean language sql stable as $$
  select case when v.content is null and left(v.packed_content, 20) = json_shape_name(express_content_template(e.erased))
    then substr(v.packed_content, 21) = express_content_values(e) else version_content(v) is not distinct from express_content(e) end
$$;

create or replace function express_personal(e expresses) returns text language sql stable as $$
  select json_build_array(e.sender_name, e.sender_phone, e.sender_province, e.sender_city, e.sender_county, e.sender_address, e.receive_name, e.receive_phone,
    e.receive_province, e.receive_city, e.receive_county, e.receive_address, e.goods, e.remark, e.description, e.thr_order_id, e.sender_id, e.receive_id)::text
$$;

create or replace function express_version_hash(v express_versions) returns bytea language sql stable as $$
  select sha256(v.hash_before || convert_to(json_build_array(v.express_id, v.no, v.station_id, ledger_micros(v.at), v.baseline, v.content,
    encode(v.terms_digest, 'hex'), encode(v.personal, 'hex'))::text || coalesce(v.packed_content, ''), 'UTF8'))
$$;

create or replace function fact_text(f express_facts) returns text language sql stable as $$
  select json_build_array(f.express_id, f.no, f.station_id, f.source, f.facts, f.price, f.account_id, ledger_micros(f.at))::text
    || coalesce(f.packed_price, '')
$$;

create or replace function message_text(m express_messages) returns text language sql stable as $$
  select json_build_array(m.id, m.express_id, m.station_id, m.source, ledger_micros(m.operation_time), m.rank, encode(m.hash, 'hex'), m.category, m.state,
    m.our_state, m.effect, ledger_micros(m.received_at), coalesce(to_jsonb(m) ->> 'refused', ''))::text
$$;

create or replace function message_personal(m express_messages) returns text language sql stable as $$
  select json_build_array(m.title, m.remark, m.operator_name, m.place, m.cancel_reason, nullif(m.raw, 'null'))::text
$$;

create or replace function bill_line_text(r reconciliation_rows, c reconciliations) returns text language sql stable as $$
  select json_build_array(c.id, c.provider, c.period, encode(c.file_hash, 'hex'), r.id, r.no, r.bucket, r.decision, r.problem, r.delivery_id, r.customer_code,
    r.fee, r.their_weight, r.their_amount, r.head_id, r.total_weight, r.total_amount, r.express_id, r.station_id, r.our_customer_code, r.our_weight, r.our_amount,
    r.within_tolerance, r.effect_amount, ledger_micros(r.decided_at), r.decided_by)::text
$$;

create or replace function bill_line_personal(r reconciliation_rows) returns text language sql stable as $$ select json_build_array(r.cells, r.note)::text $$;

create or replace function payment_text(p reconciliation_payments) returns text language sql stable as $$
  select json_build_array(p.id, p.reconciliation_id, p.amount, p.transfer_id, p.account_id, ledger_micros(p.at))::text
$$;

create or replace function closing_text(c period_closings) returns text language sql stable as $$
  select json_build_array(c.id, c.period, c.action, ledger_micros(c.at), c.account_id, c.entries, c.trial_balance, c.last_transfer_id, c.balances, c.reasons)::text
$$;

create or replace function price_version_text(v voucher_versions) returns text language sql stable as $$
  select json_build_array(v.voucher_id, v.no, ledger_micros(v.valid_from), v.discount, v.northeast_discount, v.weight, v.published_by, ledger_micros(v.published_at))::text
$$;

create or replace function confirmation_text(c statement_confirmations) returns text language sql stable as $$
  select json_build_array(c.id, c.station_id, c.period, c.opening, c."in", c."out", c.closing, c.frozen, c.lines, c.confirmed_by, ledger_micros(c.at))::text
$$;

create or replace function confirmation_personal(c statement_confirmations) returns text language sql stable as $$ select json_build_array(c.confirmed_by_name, c.note)::text $$;

create or replace function approval_text(a request_approvals) returns text language sql stable as $$
  select json_build_array(a.statement_id, a.account_id, ledger_micros(a.at), a.amount, a.alone)::text
$$;

create or replace function setting_text(s settings) returns text language sql stable as $$
  select json_build_array(s.id, s.name, s.value, s.version, ledger_micros(s.updated_at), s.account_id)::text
$$;

-- Text of a closed hand-over with its packages, which are rows of their own, in the order of their
-- waybills.
create or replace function handover_text(h handovers) returns text language sql stable as $$
  select json_build_array(h.id, h.station_id, h.provider, h.user_id, h.only_user_id, h.status, ledger_micros(h.opened_at), ledger_micros(h.ended_at), h.ended_by, h.parcels,
    h.packages, h.missing, h.missing_parcels, (select coalesce(json_agg(json_build_array(s.delivery_id, s.package_no, s.package_count, s.express_id, s.number,
      ledger_micros(s.at), s.scanned_by) order by s.delivery_id collate "C", s.package_no, s.express_id), '[]')
    from handover_scans s where s.handover_id = h.id and s.result = 'given' and s.taken_back_at is null))::text
$$;

create or replace function handover_personal(h handovers) returns text language sql stable as $$ select json_build_array(h.courier_name, h.note)::text $$;

-- Who requested and who approved the erasure of a person, and when.
create or replace function erasure_text(o erasures) returns text language sql stable as $$
  select json_build_array(o.id, o.account_id, ledger_micros(o.at), o.decided_by, ledger_micros(o.decided_at))::text
$$;

-- The personal text of each kind after its erasure.
create or replace function source_blank(kind text) returns text language sql immutable as
  $$ select case kind when 'message' then '["", "", "", "", "", null]' when 'bill_line' then '[null, ""]'
    when 'confirmation' then '["", ""]' when 'handover' then '["", ""]' else '' end $$;

create or replace function source_record_digest(kind text, k1 bigint, k2 bigint, personal bytea, content text) returns bytea language sql immutable as
  $$ select source_digest(json_build_array(kind, k1, k2, encode(personal, 'hex'))::text || content) $$;

-- Adds a version of each parcel in `es`, whose price, facts or addressees have changed.
create or replace function express_version_add(es expresses[], is_baseline boolean) returns void language plpgsql security definer
  set search_path = public, pg_temp as $$
begin
  insert into frozen_terms select distinct source_digest(e.terms::text), e.terms from unnest(es) e order by 1 on conflict do nothing;
  with salted as materialized (
    select e, source_salt() as salt from unnest(es) e
  ), drafts as materialized (
    select row((e).id, coalesce(b.no, 0) + 1, (e).station_id, now(), is_baseline::int::smallint, null, source_digest((e).terms::text),
      source_personal(salt, express_personal(e)), salt, coalesce(b.hash, ''), '', json_pack(express_content_template((e).erased), express_content_values(e)))::express_versions as v
    from salted left join lateral (select no, hash from express_versions v where v.express_id = (e).id order by no desc limit 1) b on true
  ), kept as (
    insert into express_versions select (d.v).express_id, (d.v).no, (d.v).station_id, (d.v).at, (d.v).baseline, null, (d.v).terms_digest, (d.v).personal,
      (d.v).salt, (d.v).hash_before, express_version_hash(d.v), (d.v).packed_content from drafts d
    returning station_id, express_id, no, baseline, hash
  )
  insert into source_hashes (station_id, kind, k1, k2, baseline, digest)
    select station_id, 'version', express_id, no, baseline, hash from kept;
end $$;

-- Adds a version of one parcel, like express_version_add, for a trigger. Expressions and plain
-- inserts cost a third of that function's plan.
create or replace function express_version_write(e expresses, before_no integer, before_hash bytea) returns void language plpgsql security definer
  set search_path = public, pg_temp as $$
declare
  v express_versions;
begin
  v.express_id := e.id;
  v.no := before_no + 1;
  v.station_id := e.station_id;
  v.at := now();
  v.baseline := 0;
  v.packed_content := json_pack(express_content_template(e.erased), express_content_values(e));
  v.terms_digest := source_digest(e.terms::text);
  v.salt := source_salt();
  v.personal := source_personal(v.salt, express_personal(e));
  v.hash_before := before_hash;
  v.hash := express_version_hash(v);
  insert into frozen_terms values (v.terms_digest, e.terms) on conflict do nothing;
  insert into express_versions values (v.*);
  insert into source_hashes (station_id, kind, k1, k2, baseline, digest) values (v.station_id, 'version', v.express_id, v.no, 0, v.hash);
end $$;

create or replace function express_version_insert() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform express_version_write(new, 0, '');
  return null;
end $$;

create or replace trigger express_versions_insert after insert on expresses for each row when (new.terms is not null) execute function express_version_insert();

create or replace function express_version_update() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  before express_versions;
begin
  select * into before from express_versions where express_id = new.id order by no desc limit 1;
  perform express_version_write(new, coalesce(before.no, 0), coalesce(before.hash, ''));
  return null;
end $$;

-- Names its columns twice: the condition takes longer than a small update, and an update that sets
-- none of the listed columns does not evaluate it.
create or replace trigger express_versions_update after update of
    terms, station_id, order_id, user_id, attempt, customer_code, provider, merchant_id, project_id, voucher_id, voucher_no, promise_id, package_count,
    guarantee_value_amount, trans_type, goods_type, weight, re_weight, jd_weight, jd_cal_weight, jd_volume, cal_weight, length, width, height,
    guarantee_amount, surcharge_amount, pre_amount, post_amount, discount, discount_amount, jd_amount, surcharges, shares, simulated, price_lines,
    sender_name, sender_phone, sender_province, sender_city, sender_county, sender_address, receive_name, receive_phone, receive_province, receive_city,
    receive_county, receive_address, goods, remark, description, thr_order_id, sender_id, receive_id, erased
  on expresses for each row
  when (new.terms is not null and (old.terms, old.station_id, old.order_id, old.user_id, old.attempt, old.customer_code, old.provider, old.merchant_id, old.project_id,
    old.voucher_id, old.voucher_no, old.promise_id, old.package_count, old.guarantee_value_amount, old.trans_type, old.goods_type, old.weight, old.re_weight,
    old.jd_weight, old.jd_cal_weight, old.jd_volume, old.cal_weight, old.length, old.width, old.height, old.guarantee_amount, old.surcharge_amount,
    old.pre_amount, old.post_amount, old.discount, old.discount_amount, old.jd_amount, old.surcharges, old.shares, old.simulated, old.price_lines,
    old.sender_name, old.sender_phone, old.sender_province, old.sender_city, old.sender_county, old.sender_address, old.receive_name, old.receive_phone,
    old.receive_province, old.receive_city, old.receive_county, old.receive_address, old.goods, old.remark, old.description, old.thr_order_id, old.sender_id,
    old.receive_id, old.erased)
    is distinct from (new.terms, new.station_id, new.order_id, new.user_id, new.attempt, new.customer_code, new.provider, new.merchant_id, new.project_id,
    new.voucher_id, new.voucher_no, new.promise_id, new.package_count, new.guarantee_value_amount, new.trans_type, new.goods_type, new.weight, new.re_weight,
    new.jd_weight, new.jd_cal_weight, new.jd_volume, new.cal_weight, new.length, new.width, new.height, new.guarantee_amount, new.surcharge_amount,
    new.pre_amount, new.post_amount, new.discount, new.discount_amount, new.jd_amount, new.surcharges, new.shares, new.simulated, new.price_lines,
    new.sender_name, new.sender_phone, new.sender_province, new.sender_city, new.sender_county, new.sender_address, new.receive_name, new.receive_phone,
    new.receive_province, new.receive_city, new.receive_county, new.receive_address, new.goods, new.remark, new.description, new.thr_order_id, new.sender_id,
    new.receive_id, new.erased))
  execute function express_version_update();

create or replace function fact_records(fs express_facts[], is_baseline boolean) returns void language plpgsql security definer
  set search_path = public, pg_temp as $$
begin
  with salted as materialized (select f, nullif((f).reason, '') as words, source_salt() as salt from unnest(fs) f),
    hashed as materialized (select f, case when words is not null then salt end as salt, source_personal(salt, words) as personal from salted)
  insert into source_hashes (station_id, kind, k1, k2, baseline, personal, salt, digest)
    select (f).station_id, 'fact', (f).express_id, (f).no, is_baseline::int, personal, salt, source_record_digest('fact', (f).express_id, (f).no, personal, fact_text(f))
      from hashed;
end $$;

-- Adds the record of one fact; fact_records does so for many.
create or replace function fact_records_insert() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  words text := nullif(new.reason, '');
  salt bytea := case when words is not null then source_salt() end;
  personal bytea := source_personal(salt, words);
begin
  insert into source_hashes (station_id, kind, k1, k2, baseline, personal, salt, digest)
    values (new.station_id, 'fact', new.express_id, new.no, 0, personal, salt, source_record_digest('fact', new.express_id, new.no, personal, fact_text(new)));
  return null;
end $$;

create or replace trigger express_facts_hash after insert on express_facts for each row execute function fact_records_insert();

create or replace function message_records(ms express_messages[], is_baseline boolean) returns void language plpgsql security definer
  set search_path = public, pg_temp as $$
begin
  with salted as materialized (select m, source_salt() as salt from unnest(ms) m),
    hashed as materialized (select m, salt, source_personal(salt, message_personal(m)) as personal from salted)
  insert into source_hashes (station_id, kind, k1, baseline, personal, salt, digest)
    select (m).station_id, 'message', (m).id, is_baseline::int, personal, salt, source_record_digest('message', (m).id, 0, personal, message_text(m))
    from hashed;
end $$;

-- Adds the record of one message; message_records does so for many.
create or replace function message_records_insert() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  salt bytea := source_salt();
  personal bytea := source_personal(salt, message_personal(new));
begin
  insert into source_hashes (station_id, kind, k1, baseline, personal, salt, digest)
    values (new.station_id, 'message', new.id, 0, personal, salt, source_record_digest('message', new.id, 0, personal, message_text(new)));
  return null;
end $$;

create or replace trigger express_messages_hash after insert on express_messages for each row execute function message_records_insert();

-- Adds records of decided lines, of lines that are open again, and of deleted lines (`gone` true).
-- The next matching may write a deleted line again under another number.
create or replace function bill_line_records(rs reconciliation_rows[], gone boolean, is_baseline boolean) returns void language plpgsql security definer set search_path = public, pg_temp as $$
begin
  with salted as materialized (
    select r, c, source_salt() as salt, coalesce((select h.k2 from source_hashes h where h.kind = 'bill_line' and h.k1 = (r).id order by h.k2 desc limit 1), 0) + 1 as k2
    from unnest(rs) r join reconciliations c on c.id = (r).reconciliation_id
  ), hashed as materialized (select *, case when not gone then source_personal(salt, bill_line_personal(r)) end as personal from salted)
  insert into source_hashes (station_id, kind, k1, k2, baseline, personal, salt, digest)
    select 0, 'bill_line', (r).id, k2, is_baseline::int, personal, case when not gone then salt end,
      source_record_digest('bill_line', (r).id, k2, personal, case when gone then 'gone' else bill_line_text(r, c) end) from hashed;
end $$;

create or replace function bill_lines_insert() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform bill_line_records((select array_agg(row(n.*)::reconciliation_rows) from new_rows n where n.decision <> 'open'), false, false);
  return null;
end $$;

create or replace function bill_lines_update() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform bill_line_records((select array_agg(row(n.*)::reconciliation_rows) from new_rows n join old_rows o using (id)
    where (n.decision <> 'open' or o.decision <> 'open') and row(n.*) is distinct from row(o.*)), false, false);
  return null;
end $$;

create or replace function bill_lines_delete() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform bill_line_records((select array_agg(row(o.*)::reconciliation_rows) from old_rows o
    where exists (select 1 from source_hashes h where h.kind = 'bill_line' and h.k1 = o.id)), true, false);
  return null;
end $$;

create or replace trigger reconciliation_rows_hash_insert after insert on reconciliation_rows referencing new table as new_rows for each statement execute function bill_lines_insert();
create or replace trigger reconciliation_rows_hash_update after update on reconciliation_rows referencing old table as old_rows new table as new_rows
  for each statement execute function bill_lines_update();
create or replace trigger reconciliation_rows_hash_delete after delete on reconciliation_rows referencing old table as old_rows for each statement execute function bill_lines_delete();

create or replace function payment_record(p reconciliation_payments, is_baseline boolean) returns void language plpgsql security definer set search_path = public, pg_temp as $$
begin
  with salted as materialized (select nullif(p.description, '') as words, source_salt() as salt),
    hashed as materialized (select case when words is not null then salt end as salt, source_personal(salt, words) as personal from salted)
  insert into source_hashes (station_id, kind, k1, baseline, personal, salt, digest)
    select 0, 'payment', p.id, is_baseline::int, personal, salt, source_record_digest('payment', p.id, 0, personal, payment_text(p)) from hashed;
end $$;

create or replace function payment_insert() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform payment_record(new, false);
  return null;
end $$;

create or replace trigger reconciliation_payments_hash after insert on reconciliation_payments for each row execute function payment_insert();

create or replace function price_version_insert() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into source_hashes (station_id, kind, k1, k2, digest)
    values (0, 'price_version', new.voucher_id, new.no, source_record_digest('price_version', new.voucher_id, new.no, null, price_version_text(new)));
  return null;
end $$;

create or replace trigger voucher_versions_hash after insert on voucher_versions for each row execute function price_version_insert();

create or replace function confirmation_insert() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  salt bytea := source_salt();
  personal bytea := source_personal(salt, confirmation_personal(new));
begin
  insert into source_hashes (station_id, kind, k1, personal, salt, digest)
    values (new.station_id, 'confirmation', new.id, personal, salt, source_record_digest('confirmation', new.id, 0, personal, confirmation_text(new)));
  return null;
end $$;

create or replace trigger statement_confirmations_hash after insert on statement_confirmations for each row execute function confirmation_insert();

create or replace function approval_insert() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into source_hashes (station_id, kind, k1, k2, digest)
    select s.station_id, 'approval', new.statement_id, new.account_id, source_record_digest('approval', new.statement_id, new.account_id, null, approval_text(new))
    from statements s where s.id = new.statement_id;
  return null;
end $$;

create or replace trigger request_approvals_hash after insert on request_approvals for each row execute function approval_insert();

-- A hand-over becomes a record when it is closed.
create or replace function handover_closed() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  salt bytea := source_salt();
  personal bytea := source_personal(salt, handover_personal(new));
begin
  insert into source_hashes (station_id, kind, k1, personal, salt, digest)
    values (new.station_id, 'handover', new.id, personal, salt, source_record_digest('handover', new.id, 0, personal, handover_text(new)));
  return null;
end $$;

create or replace trigger handovers_hash after update on handovers for each row when (old.status = 'open' and new.status = 'closed') execute function handover_closed();

-- Each change of a setting adds a record, as for a decided bill line. A deletion adds a record with
-- the text `gone`.
create or replace function setting_write() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  of_id bigint := case when tg_op = 'DELETE' then old.id else new.id end;
  record_no bigint := coalesce((select h.k2 from source_hashes h where h.kind = 'setting' and h.k1 = of_id order by h.k2 desc limit 1), 0) + 1;
begin
  if tg_op = 'UPDATE' and new is not distinct from old then return null; end if;
  insert into source_hashes (station_id, kind, k1, k2, digest) values (0, 'setting', of_id, record_no,
    source_record_digest('setting', of_id, record_no, null, case when tg_op = 'DELETE' then 'gone' else setting_text(new) end));
  return null;
end $$;

create or replace trigger settings_hash after insert or update or delete on settings for each row execute function setting_write();

-- The reasons why carrier accounts with parcels in the month have no bill of that month.
create or replace function period_reasons(p periods) returns jsonb language plpgsql stable as $$
begin
  if to_regclass('period_bill_reasons') is null then return '[]'; end if;
  return (select coalesce(jsonb_agg(jsonb_build_array(g.merchant_id, g.reason, g.parcels, g.account_id, ledger_micros(g.at)) order by g.merchant_id), '[]')
    from period_bill_reasons g where g.period = p.period);
end $$;

-- Records the figures that a month was closed with, or that it was reopened.
create or replace function period_closing_add(p periods, what text) returns void language plpgsql security definer set search_path = public, pg_temp as $$
declare
  scope text := current_setting('waystation.scope', true);
  c period_closings;
begin
  perform set_config('waystation.scope', 'all', true);
  insert into period_closings (period, action, at, account_id, entries, trial_balance, last_transfer_id, balances, reasons, reason)
    values (p.period, what, case what when 'reopen' then p.reopened_at else p.closed_at end, case what when 'reopen' then p.reopened_by else p.closed_by end,
      p.entries, p.trial_balance, p.last_transfer_id,
      (select coalesce(jsonb_agg(to_jsonb(b) - 'period' order by b.station_id), '[]') from period_balances b where b.period = p.period),
      period_reasons(p), case what when 'reopen' then p.reopen_reason else '' end) returning * into c;
  insert into source_hashes (station_id, kind, k1, baseline, personal, salt, digest)
    select 0, 'closing', c.id, (what = 'baseline')::int, personal, salt, source_record_digest('closing', c.id, 0, personal, closing_text(c))
    from (select salt, source_personal(salt, words) as personal
      from (select nullif(c.reason, '') as words, case when c.reason <> '' then source_salt() end as salt offset 0) salted) hashed;
  perform set_config('waystation.scope', coalesce(scope, ''), true);
end $$;

-- Runs at commit, when the balances of all stations are written.
create or replace function period_closing_write() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_op = 'UPDATE' and (old.status, old.closed_at, old.reopened_at) is not distinct from (new.status, new.closed_at, new.reopened_at) then return null; end if;
  if tg_op = 'INSERT' and new.status = 'open' then return null; end if;
  perform period_closing_add(new, case new.status when 'closed' then 'close' else 'reopen' end);
  return null;
end $$;

drop trigger if exists periods_closing on periods;
create constraint trigger periods_closing after insert or update on periods deferrable initially deferred for each row execute function period_closing_write();

create or replace function source_hashes_guard() returns trigger language plpgsql as $$
declare
  allowed source_hashes := new;
begin
  -- The only changes of a record: it joins a block once, and its salt may be deleted.
  if old.block is null then allowed.block := old.block; end if;
  if new.salt is null then allowed.salt := old.salt; end if;
  if allowed is distinct from old then
    raise exception 'source_hashes is append-only' using errcode = '23000', constraint = 'append_only';
  end if;
  return new;
end $$;

create or replace trigger source_hashes_guard before update on source_hashes for each row execute function source_hashes_guard();
create or replace trigger source_hashes_append_only before delete or truncate on source_hashes execute function refuse_change();

create or replace function express_versions_guard() returns trigger language plpgsql as $$
declare
  allowed express_versions := new;
begin
  if new.salt is null then allowed.salt := old.salt; end if;
  if allowed is distinct from old then
    raise exception 'express_versions is append-only' using errcode = '23000', constraint = 'append_only';
  end if;
  return new;
end $$;

create or replace trigger express_versions_guard before update on express_versions for each row execute function express_versions_guard();
create or replace trigger express_versions_append_only before delete or truncate on express_versions execute function refuse_change();
create or replace trigger frozen_terms_append_only before update or delete or truncate on frozen_terms execute function refuse_change();
create or replace trigger source_blocks_append_only before update or delete or truncate on source_blocks execute function refuse_change();
create or replace trigger period_closings_append_only before update or delete or truncate on period_closings execute function refuse_change();

revoke execute on function express_version_add(expresses[], boolean), express_version_write(expresses, integer, bytea), express_version_insert(), express_version_update(), fact_records(express_facts[], boolean),
  fact_records_insert(), message_records(express_messages[], boolean), message_records_insert(), bill_line_records(reconciliation_rows[], boolean, boolean),
  bill_lines_insert(), bill_lines_update(), bill_lines_delete(), payment_record(reconciliation_payments, boolean), payment_insert(), price_version_insert(), confirmation_insert(), approval_insert(), handover_closed(), setting_write(),
  period_closing_add(periods, text), period_closing_write() from public;
