-- Precondition: 0016.
-- What feeds the ledger is under hashes (docs/ledger.md, "Sources"; docs/decisions/0019): prices of parcels, facts, carrier messages, decided bill lines,
-- payments and closings. Triggers write one record a row in the same transaction; a proof gathers the new records of a station into one block of its chain.
-- The application role may only read these tables, with a scope of everything; row-level security is not forced on them, since the owner's triggers write them
-- whatever the scope of the transaction is.

create function source_digest(value text) returns bytea language sql immutable parallel safe as $$ select sha256(convert_to(value, 'UTF8')) $$;
-- Personal text enters a hash as this alone. Without the salt nobody can guess the text from it, so erasing text and salt breaks no hash.
create function source_personal(salt bytea, value text) returns bytea language sql immutable parallel safe as
  $$ select sha256(salt || convert_to(value, 'UTF8')) $$;
create function source_salt() returns bytea language sql volatile as $$ select uuid_send(gen_random_uuid()) $$;

-- Frozen terms, each once: many parcels of a station share them.
create table frozen_terms (
  digest bytea primary key,
  terms jsonb not null
);

-- Every price a parcel had, and every edit of it: its facts, amounts and terms, chained per parcel. Its hash stands in the transfers it brought about.
create table express_versions (
  express_id bigint not null,
  no integer not null,
  station_id bigint not null,
  at timestamptz not null,
  -- 1: the parcel as the migration found it.
  baseline smallint not null default 0,
  content jsonb not null,
  terms_digest bytea not null,
  personal bytea not null,
  salt bytea,
  hash_before bytea not null,
  hash bytea not null,
  primary key (express_id, no)
);

-- One record a source row: kind, its key, a digest of its content. Records of a block can no longer be changed without changing every later block.
create table source_hashes (
  id bigint generated always as identity primary key,
  -- Whose chain; 0: the platform's.
  station_id bigint not null,
  kind text not null,
  k1 bigint not null,
  -- The how-manieth record of a row that may change (bill lines), else part of its key.
  k2 bigint not null default 0,
  baseline smallint not null default 0,
  personal bytea,
  salt bytea,
  digest bytea not null,
  at timestamptz not null default now(),
  block bigint
);
create unique index source_hashes_key on source_hashes (kind, k1, k2);
create index source_hashes_block on source_hashes (station_id, block);
create index source_hashes_new on source_hashes (id) where block is null;

create table source_blocks (
  station_id bigint not null,
  seq bigint not null,
  records bigint not null,
  at timestamptz not null,
  content bytea not null,
  hash bytea not null,
  primary key (station_id, seq)
);

-- Each closing and each reopening of a month, appended; the month's row shows the last.
create table period_closings (
  id bigint generated always as identity primary key,
  period text not null,
  action text not null check (action in ('close', 'reopen', 'baseline')),
  at timestamptz not null,
  account_id bigint,
  entries bigint not null,
  trial_balance jsonb not null,
  last_transfer_id bigint not null,
  -- What every station had, and why an account without a bill was accepted.
  balances jsonb not null,
  reasons jsonb not null default '[]',
  reason text not null default ''
);
create index period_closings_period on period_closings (period, id);

-- ---------------------------------------------------------------------------------------------------------------------------- texts under the hashes

create function express_content(e expresses) returns jsonb language sql stable as $$
  select jsonb_build_object('order_id', e.order_id, 'user_id', e.user_id, 'attempt', e.attempt, 'customer_code', e.customer_code, 'provider', e.provider,
    'merchant_id', e.merchant_id, 'project_id', e.project_id, 'voucher_id', e.voucher_id, 'voucher_no', e.voucher_no, 'promise_id', e.promise_id,
    'package_count', e.package_count, 'guarantee_value_amount', e.guarantee_value_amount, 'trans_type', e.trans_type, 'goods_type', e.goods_type,
    'weight', e.weight, 're_weight', e.re_weight, 'jd_weight', e.jd_weight, 'jd_cal_weight', e.jd_cal_weight, 'jd_volume', e.jd_volume,
    'cal_weight', e.cal_weight, 'length', e.length, 'width', e.width, 'height', e.height, 'guarantee_amount', e.guarantee_amount,
    'surcharge_amount', e.surcharge_amount, 'pre_amount', e.pre_amount, 'post_amount', e.post_amount, 'discount', e.discount,
    'discount_amount', e.discount_amount, 'jd_amount', e.jd_amount, 'surcharges', e.surcharges, 'shares', e.shares, 'simulated', e.simulated,
    'price_lines', encode(source_digest(e.price_lines::text), 'hex'))
$$;
create function express_personal(e expresses) returns text language sql stable as $$
  select json_build_array(e.sender_name, e.sender_phone, e.sender_province, e.sender_city, e.sender_county, e.sender_address, e.receive_name, e.receive_phone,
    e.receive_province, e.receive_city, e.receive_county, e.receive_address, e.goods, e.remark, e.description, e.thr_order_id, e.sender_id, e.receive_id)::text
$$;
create function express_version_hash(v express_versions) returns bytea language sql stable as $$
  select sha256(v.hash_before || convert_to(json_build_array(v.express_id, v.no, v.station_id, ledger_micros(v.at), v.baseline, v.content,
    encode(v.terms_digest, 'hex'), encode(v.personal, 'hex'))::text, 'UTF8'))
$$;
create function fact_text(f express_facts) returns text language sql stable as $$
  select json_build_array(f.express_id, f.no, f.station_id, f.source, f.facts, f.price, f.account_id, ledger_micros(f.at))::text
$$;
create function message_text(m express_messages) returns text language sql stable as $$
  select json_build_array(m.id, m.express_id, m.station_id, m.source, ledger_micros(m.operation_time), m.rank, encode(m.hash, 'hex'), m.category, m.state,
    m.our_state, m.effect, ledger_micros(m.received_at), coalesce(to_jsonb(m) ->> 'refused', ''))::text
$$;
create function message_personal(m express_messages) returns text language sql stable as $$
  select json_build_array(m.title, m.remark, m.operator_name, m.place, m.cancel_reason, nullif(m.raw, 'null'))::text
$$;
create function bill_line_text(r reconciliation_rows, c reconciliations) returns text language sql stable as $$
  select json_build_array(c.id, c.provider, c.period, encode(c.file_hash, 'hex'), r.id, r.no, r.bucket, r.decision, r.problem, r.delivery_id, r.customer_code,
    r.fee, r.their_weight, r.their_amount, r.head_id, r.total_weight, r.total_amount, r.express_id, r.station_id, r.our_customer_code, r.our_weight, r.our_amount,
    r.within_tolerance, r.effect_amount, ledger_micros(r.decided_at), r.decided_by)::text
$$;
create function bill_line_personal(r reconciliation_rows) returns text language sql stable as $$ select json_build_array(r.cells, r.note)::text $$;
create function payment_text(p reconciliation_payments) returns text language sql stable as $$
  select json_build_array(p.id, p.reconciliation_id, p.amount, p.transfer_id, p.account_id, ledger_micros(p.at))::text
$$;
create function closing_text(c period_closings) returns text language sql stable as $$
  select json_build_array(c.id, c.period, c.action, ledger_micros(c.at), c.account_id, c.entries, c.trial_balance, c.last_transfer_id, c.balances, c.reasons)::text
$$;
-- A kind's personal text once it is erased.
create function source_blank(kind text) returns text language sql immutable as
  $$ select case kind when 'message' then '["", "", "", "", "", null]' when 'bill_line' then '[null, ""]' else '' end $$;
create function source_record_digest(kind text, k1 bigint, k2 bigint, personal bytea, content text) returns bytea language sql immutable as
  $$ select source_digest(json_build_array(kind, k1, k2, encode(personal, 'hex'))::text || content) $$;

-- ------------------------------------------------------------------------------------------------------------------------------------------- writers

-- The next version of parcels whose price, facts or addressees changed; what it says stands in `es`.
create function express_version_add(es expresses[], is_baseline boolean) returns void language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into frozen_terms select distinct source_digest(e.terms::text), e.terms from unnest(es) e order by 1 on conflict do nothing;
  with salted as materialized (
    select e, source_salt() as salt from unnest(es) e
  ), drafts as materialized (
    select row((e).id, coalesce(b.no, 0) + 1, (e).station_id, now(), is_baseline::int::smallint, express_content(e), source_digest((e).terms::text),
      source_personal(salt, express_personal(e)), salt, coalesce(b.hash, ''), '')::express_versions as v
    from salted left join lateral (select no, hash from express_versions v where v.express_id = (e).id order by no desc limit 1) b on true
  ), kept as (
    insert into express_versions select (d.v).express_id, (d.v).no, (d.v).station_id, (d.v).at, (d.v).baseline, (d.v).content, (d.v).terms_digest, (d.v).personal,
      (d.v).salt, (d.v).hash_before, express_version_hash(d.v) from drafts d
    returning station_id, express_id, no, baseline, hash
  )
  insert into source_hashes (station_id, kind, k1, k2, baseline, digest) select station_id, 'version', express_id, no, baseline, hash from kept;
end $$;

create function express_version_insert() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  es expresses[];
begin
  select array_agg(row(n.*)::expresses) into es from new_rows n where n.terms is not null;
  if es is not null then perform express_version_add(es, false); end if;
  return null;
end $$;
create trigger express_versions_insert after insert on expresses referencing new table as new_rows for each statement execute function express_version_insert();

create function express_version_update() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform express_version_add(array[new], false);
  return null;
end $$;
create trigger express_versions_update after update on expresses for each row
  when (new.terms is not null and (old.terms, old.station_id, old.order_id, old.user_id, old.attempt, old.customer_code, old.provider, old.merchant_id, old.project_id,
    old.voucher_id, old.voucher_no, old.promise_id, old.package_count, old.guarantee_value_amount, old.trans_type, old.goods_type, old.weight, old.re_weight,
    old.jd_weight, old.jd_cal_weight, old.jd_volume, old.cal_weight, old.length, old.width, old.height, old.guarantee_amount, old.surcharge_amount,
    old.pre_amount, old.post_amount, old.discount, old.discount_amount, old.jd_amount, old.surcharges, old.shares, old.simulated, old.price_lines,
    old.sender_name, old.sender_phone, old.sender_province, old.sender_city, old.sender_county, old.sender_address, old.receive_name, old.receive_phone,
    old.receive_province, old.receive_city, old.receive_county, old.receive_address, old.goods, old.remark, old.description, old.thr_order_id, old.sender_id,
    old.receive_id)
    is distinct from (new.terms, new.station_id, new.order_id, new.user_id, new.attempt, new.customer_code, new.provider, new.merchant_id, new.project_id,
    new.voucher_id, new.voucher_no, new.promise_id, new.package_count, new.guarantee_value_amount, new.trans_type, new.goods_type, new.weight, new.re_weight,
    new.jd_weight, new.jd_cal_weight, new.jd_volume, new.cal_weight, new.length, new.width, new.height, new.guarantee_amount, new.surcharge_amount,
    new.pre_amount, new.post_amount, new.discount, new.discount_amount, new.jd_amount, new.surcharges, new.shares, new.simulated, new.price_lines,
    new.sender_name, new.sender_phone, new.sender_province, new.sender_city, new.sender_county, new.sender_address, new.receive_name, new.receive_phone,
    new.receive_province, new.receive_city, new.receive_county, new.receive_address, new.goods, new.remark, new.description, new.thr_order_id, new.sender_id,
    new.receive_id))
  execute function express_version_update();

create function fact_records(fs express_facts[], is_baseline boolean) returns void language plpgsql security definer set search_path = public, pg_temp as $$
begin
  with salted as materialized (select f, nullif((f).reason, '') as words, source_salt() as salt from unnest(fs) f),
    hashed as materialized (select f, case when words is not null then salt end as salt, source_personal(salt, words) as personal from salted)
  insert into source_hashes (station_id, kind, k1, k2, baseline, personal, salt, digest)
    select (f).station_id, 'fact', (f).express_id, (f).no, is_baseline::int, personal, salt, source_record_digest('fact', (f).express_id, (f).no, personal, fact_text(f)) from hashed;
end $$;
create function fact_records_insert() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform fact_records((select coalesce(array_agg(row(n.*)::express_facts), '{}') from new_rows n), false);
  return null;
end $$;
create trigger express_facts_hash after insert on express_facts referencing new table as new_rows for each statement execute function fact_records_insert();

create function message_records(ms express_messages[], is_baseline boolean) returns void language plpgsql security definer set search_path = public, pg_temp as $$
begin
  with salted as materialized (select m, source_salt() as salt from unnest(ms) m),
    hashed as materialized (select m, salt, source_personal(salt, message_personal(m)) as personal from salted)
  insert into source_hashes (station_id, kind, k1, baseline, personal, salt, digest)
    select (m).station_id, 'message', (m).id, is_baseline::int, personal, salt, source_record_digest('message', (m).id, 0, personal, message_text(m)) from hashed;
end $$;
create function message_records_insert() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform message_records((select coalesce(array_agg(row(n.*)::express_messages), '{}') from new_rows n), false);
  return null;
end $$;
create trigger express_messages_hash after insert on express_messages referencing new table as new_rows for each statement execute function message_records_insert();

-- A decided line; one that is open again; one that is gone (`gone` 1), which the next matching may write anew under another number.
create function bill_line_records(rs reconciliation_rows[], gone boolean, is_baseline boolean) returns void language plpgsql security definer set search_path = public, pg_temp as $$
begin
  with salted as materialized (
    select r, c, source_salt() as salt, coalesce((select h.k2 from source_hashes h where h.kind = 'bill_line' and h.k1 = (r).id order by h.k2 desc limit 1), 0) + 1 as k2
    from unnest(rs) r join reconciliations c on c.id = (r).reconciliation_id
  ), hashed as materialized (select *, case when not gone then source_personal(salt, bill_line_personal(r)) end as personal from salted)
  insert into source_hashes (station_id, kind, k1, k2, baseline, personal, salt, digest)
    select 0, 'bill_line', (r).id, k2, is_baseline::int, personal, case when not gone then salt end,
      source_record_digest('bill_line', (r).id, k2, personal, case when gone then 'gone' else bill_line_text(r, c) end) from hashed;
end $$;
create function bill_lines_insert() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform bill_line_records((select array_agg(row(n.*)::reconciliation_rows) from new_rows n where n.decision <> 'open'), false, false);
  return null;
end $$;
create function bill_lines_update() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform bill_line_records((select array_agg(row(n.*)::reconciliation_rows) from new_rows n join old_rows o using (id)
    where (n.decision <> 'open' or o.decision <> 'open') and row(n.*) is distinct from row(o.*)), false, false);
  return null;
end $$;
create function bill_lines_delete() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform bill_line_records((select array_agg(row(o.*)::reconciliation_rows) from old_rows o
    where exists (select 1 from source_hashes h where h.kind = 'bill_line' and h.k1 = o.id)), true, false);
  return null;
end $$;
create trigger reconciliation_rows_hash_insert after insert on reconciliation_rows referencing new table as new_rows for each statement execute function bill_lines_insert();
create trigger reconciliation_rows_hash_update after update on reconciliation_rows referencing old table as old_rows new table as new_rows
  for each statement execute function bill_lines_update();
create trigger reconciliation_rows_hash_delete after delete on reconciliation_rows referencing old table as old_rows for each statement execute function bill_lines_delete();

create function payment_record(p reconciliation_payments, is_baseline boolean) returns void language plpgsql security definer set search_path = public, pg_temp as $$
begin
  with salted as materialized (select nullif(p.description, '') as words, source_salt() as salt),
    hashed as materialized (select case when words is not null then salt end as salt, source_personal(salt, words) as personal from salted)
  insert into source_hashes (station_id, kind, k1, baseline, personal, salt, digest)
    select 0, 'payment', p.id, is_baseline::int, personal, salt, source_record_digest('payment', p.id, 0, personal, payment_text(p)) from hashed;
end $$;
create function payment_insert() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform payment_record(new, false);
  return null;
end $$;
create trigger reconciliation_payments_hash after insert on reconciliation_payments for each row execute function payment_insert();
create trigger reconciliation_payments_append_only before update or delete or truncate on reconciliation_payments execute function refuse_change();

-- What a month was closed with, or that it was opened again.
create function period_closing_add(p periods, what text) returns void language plpgsql security definer set search_path = public, pg_temp as $$
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
-- Why carrier accounts with parcels of the month had no bill of it.
create function period_reasons(p periods) returns jsonb language plpgsql stable as $$
begin
  if to_regclass('period_bill_reasons') is null then return '[]'; end if;
  return (select coalesce(jsonb_agg(jsonb_build_array(g.merchant_id, g.reason, g.parcels, g.account_id, ledger_micros(g.at)) order by g.merchant_id), '[]')
    from period_bill_reasons g where g.period = p.period);
end $$;
-- At commit, when the balances of all stations are written.
create function period_closing_write() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_op = 'UPDATE' and (old.status, old.closed_at, old.reopened_at) is not distinct from (new.status, new.closed_at, new.reopened_at) then return null; end if;
  if tg_op = 'INSERT' and new.status = 'open' then return null; end if;
  perform period_closing_add(new, case new.status when 'closed' then 'close' else 'reopen' end);
  return null;
end $$;
create constraint trigger periods_closing after insert or update on periods deferrable initially deferred for each row execute function period_closing_write();

-- --------------------------------------------------------------------------------------------------------------------------- appended, and never changed

create function source_keep() returns trigger language plpgsql as $$
declare
  allowed source_hashes := new;
begin
  -- A record joins a block once, and its salt may go.
  if old.block is null then allowed.block := old.block; end if;
  if new.salt is null then allowed.salt := old.salt; end if;
  if allowed is distinct from old then
    raise exception 'source_hashes is append-only' using errcode = '23000', constraint = 'append_only';
  end if;
  return new;
end $$;
create trigger source_hashes_keep before update on source_hashes for each row execute function source_keep();
create trigger source_hashes_append_only before delete or truncate on source_hashes execute function refuse_change();
create function express_versions_keep() returns trigger language plpgsql as $$
declare
  allowed express_versions := new;
begin
  if new.salt is null then allowed.salt := old.salt; end if;
  if allowed is distinct from old then
    raise exception 'express_versions is append-only' using errcode = '23000', constraint = 'append_only';
  end if;
  return new;
end $$;
create trigger express_versions_keep before update on express_versions for each row execute function express_versions_keep();
create trigger express_versions_append_only before delete or truncate on express_versions execute function refuse_change();
create trigger frozen_terms_append_only before update or delete or truncate on frozen_terms execute function refuse_change();
create trigger source_blocks_append_only before update or delete or truncate on source_blocks execute function refuse_change();
create trigger period_closings_append_only before update or delete or truncate on period_closings execute function refuse_change();

-- ------------------------------------------------------------------------------------------------------------------------------------------- baseline

-- What there is already, as it is today: from here on it is proved. Twenty thousand rows at a time, so that the memory it takes does not grow with the tables.
do $$
declare
  step constant bigint := 20000;
  start bigint;
begin
  perform set_config('waystation.scope', 'all', true);
  for start in select generate_series(0, coalesce((select max(id) from expresses), -1), step) loop
    perform express_version_add(es, true) from (select array_agg(e) as es from expresses e where e.id >= start and e.id < start + step and e.terms is not null) batch where es is not null;
    perform fact_records(fs, true) from (select array_agg(f) as fs from express_facts f where f.express_id >= start and f.express_id < start + step) batch where fs is not null;
  end loop;
  for start in select generate_series(0, coalesce((select max(id) from express_messages), -1), step) loop
    perform message_records(ms, true) from (select array_agg(m) as ms from express_messages m where m.id >= start and m.id < start + step) batch where ms is not null;
  end loop;
  for start in select generate_series(0, coalesce((select max(id) from reconciliation_rows), -1), step) loop
    perform bill_line_records(rs, false, true)
      from (select array_agg(r) as rs from reconciliation_rows r where r.id >= start and r.id < start + step and r.decision <> 'open') batch where rs is not null;
  end loop;
  perform payment_record(p, true) from reconciliation_payments p;
  perform period_closing_add(p, 'baseline') from periods p where p.status = 'closed';
end $$;

-- ------------------------------------------------------------------------------------------------------------- transfers name the version of their parcel

-- Null: no priced parcel of ours, or posted before there were versions.
alter table ledger_transfers add column version_hash bytea;

create or replace function ledger_transfer_hash(t ledger_transfers, entries ledger_entries[], lines statements[]) returns bytea language plpgsql stable parallel safe as $$
declare
  entry ledger_entries;
  line statements;
  facts text := json_build_array(t.id, t.kind, t.cause, encode(t.content, 'hex'), t.station_id, t.express_id, t.attempt, t.account_id, ledger_micros(t.at), t.period);
begin
  if t.version_hash is not null then facts := facts || encode(t.version_hash, 'hex'); end if;
  foreach entry in array entries loop
    facts := facts || json_build_array(entry.no, entry.account, entry.station_id, entry.amount, entry.balance, entry.seq, entry.period);
  end loop;
  foreach line in array lines loop
    facts := facts || ledger_statement_text(line);
  end loop;
  return sha256(convert_to(facts, 'UTF8'));
end $$;

-- As before, and with the hash of the parcel's newest version.
create or replace function ledger_seal(draft ledger_draft, funds ledger_funds[]) returns ledger_sealed_transfer language plpgsql as $$
declare
  t ledger_transfers := draft.transfer;
  lines statements[] := draft.lines;
  entries ledger_entries[] := '{}';
  links ledger_chain[] := '{}';
  link ledger_chain;
  line statements;
  here ledger_funds;
begin
  t.id := nextval('ledger_transfers_id_seq');
  t.period := ledger_period_of(t.at);
  if t.express_id is not null then
    select v.hash into t.version_hash from express_versions v where v.express_id = t.express_id order by v.no desc limit 1;
  end if;
  for i in 1 .. cardinality(lines) loop
    line := lines[i];
    here := funds[i];
    here.money := here.money + line.amount;
    here."freeze" := here."freeze" + line.freeze_amount;
    here.seq := here.seq + 1;
    line := ledger_sealed(line, t, here);
    entries := ledger_station_entries(t, line, entries);
    lines[i] := line;
    funds[i] := here;
  end loop;
  entries := ledger_platform_entries(t, draft.accounts, draft.amounts, entries);
  t.hash := ledger_transfer_hash(t, entries, lines);
  for i in 1 .. cardinality(funds) loop
    here := funds[i];
    here.chain_seq := here.chain_seq + 1;
    here.chain_hash := ledger_chain_hash(here.chain_hash, here.station_id, here.chain_seq, t.hash);
    funds[i] := here;
    link := row(here.station_id, here.chain_seq, t.id, here.chain_hash)::ledger_chain;
    links := links || link;
  end loop;
  return row(t, entries, lines, links, funds)::ledger_sealed_transfer;
end $$;

revoke execute on function express_version_add(expresses[], boolean), express_version_insert(), express_version_update(), fact_records(express_facts[], boolean),
  fact_records_insert(), message_records(express_messages[], boolean), message_records_insert(), bill_line_records(reconciliation_rows[], boolean, boolean),
  bill_lines_insert(), bill_lines_update(), bill_lines_delete(), payment_record(reconciliation_payments, boolean), payment_insert(),
  period_closing_add(periods, text), period_closing_write() from public;

do $$
declare t text;
begin
  foreach t in array array['frozen_terms', 'express_versions', 'source_hashes', 'source_blocks', 'period_closings'] loop
    execute format('alter table %I enable row level security', t);
    execute format('create policy %I on %I using ((select scope_all()))', t || '_scope', t);
  end loop;
end $$;
grant select on frozen_terms, express_versions, source_hashes, source_blocks, period_closings to {{app_role}};
