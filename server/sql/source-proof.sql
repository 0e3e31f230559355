-- The proof of the sources (I11, I12) and of their blocks (I8); docs/ledger.md, Proof.

-- The bytes of a record that its block covers: all but the salt, which may be deleted later.
create or replace function source_record_bytes(h source_hashes) returns bytea language sql stable as $$
  select int8send(h.id) || source_digest(json_build_array(h.kind, h.k1, h.k2, h.baseline, ledger_micros(h.at), encode(h.personal, 'hex'))::text) || h.digest
$$;

create or replace function source_block_hash(hash_before bytea, b source_blocks) returns bytea language sql stable as
  $$ select sha256(hash_before || int8send(b.station_id) || int8send(b.seq) || int8send(b.records) || int8send(ledger_micros(b.at)) || b.content) $$;

-- Gathers the records that are in no block yet into one block for each station, and returns their
-- number. The lock of the proof lets one transaction do so at a time.
create or replace function source_make_blocks(moment timestamptz) returns bigint language plpgsql security definer set search_path = public, pg_temp as $$
declare
  gathered_count bigint;
begin
  perform pg_advisory_xact_lock(hashtextextended('ledger_prove', 0));
  with fresh as materialized (
    select station_id, count(*) as records, array_agg(id) as ids, sha256(string_agg(source_record_bytes(h), '' order by id)) as content
    from source_hashes h where block is null group by station_id
  ), drafts as materialized (
    select row(f.station_id, coalesce(b.seq, 0) + 1, f.records, moment, f.content, '')::source_blocks as b, coalesce(b.hash, '') as hash_before, f.ids
    from fresh f left join lateral (select seq, hash from source_blocks b where b.station_id = f.station_id order by seq desc limit 1) b on true
  ), kept as (
    insert into source_blocks select (b).station_id, (b).seq, (b).records, (b).at, (b).content, source_block_hash(hash_before, b) from drafts
  ), joined as (
    update source_hashes h set block = (d.b).seq from drafts d, unnest(d.ids) as member (id) where h.id = member.id returning 1
  )
  select count(*) into gathered_count from joined;
  return gathered_count;
end $$;

-- I11 of records: the rows that feed the ledger match their hashes.
create or replace function source_record_proof(ids bigint[]) returns table (invariant text, subject text, stations bigint[], detail text)
  language plpgsql stable set search_path = public, pg_temp as $$
#variable_conflict use_column
begin
  return query
  with records as materialized (
    select h.* from unnest(ids) w (id) cross join lateral (select h.* from source_hashes h where h.id = w.id offset 0) h
  ), shapes as materialized (
    -- Hashes cover the names of shapes: each template has to be what its name says.
    select s.id from json_shapes s where s.id = json_shape_name(s.template)
  ), facts as (
    select r.*, f.express_id is not null as there, case when f.packed_price is null or left(f.packed_price, 20) in (select id from shapes) then fact_text(f) end as content, f.reason as words
    from records r left join express_facts f on (f.express_id, f.no) = (r.k1, r.k2) where r.kind = 'fact'
  ), messages as (
    select r.*, m.id is not null as there, case when m.id is not null then message_text(m) end as content, case when m.id is not null then message_personal(m) end as words
    from records r left join express_messages m on m.id = r.k1 where r.kind = 'message'
  ), lines as (
    select r.*, true as there, case when l.id is null then 'gone' else bill_line_text(l, c) end as content, case when l.id is not null then bill_line_personal(l) end as words
    from records r left join reconciliation_rows l on l.id = r.k1 left join reconciliations c on c.id = l.reconciliation_id
    where r.kind = 'bill_line' and not exists (select 1 from source_hashes n where n.kind = 'bill_line' and n.k1 = r.k1 and n.k2 = r.k2 + 1)
  ), payments as (
    select r.*, p.id is not null as there, case when p.id is not null then payment_text(p) end as content, p.description as words
    from records r left join reconciliation_payments p on p.id = r.k1 where r.kind = 'payment'
  ), closings as (
    select r.*, c.id is not null as there, case when c.id is not null then closing_text(c) end as content, c.reason as words
    from records r left join period_closings c on c.id = r.k1 where r.kind = 'closing'
  ), prices as (
    select r.*, v.voucher_id is not null as there, case when v.voucher_id is not null then price_version_text(v) end as content, null as words
    from records r left join voucher_versions v on (v.voucher_id, v.no) = (r.k1, r.k2) where r.kind = 'price_version'
  ), confirmations as (
    select r.*, c.id is not null as there, case when c.id is not null then confirmation_text(c) end as content, case when c.id is not null then confirmation_personal(c) end as words
    from records r left join statement_confirmations c on c.id = r.k1 where r.kind = 'confirmation'
  ), approvals as (
    select r.*, a.statement_id is not null as there, case when a.statement_id is not null then approval_text(a) end as content, null as words
    from records r left join request_approvals a on (a.statement_id, a.account_id) = (r.k1, r.k2) where r.kind = 'approval'
  ), visits as (
    select r.*, h.id is not null as there, case when h.id is not null then handover_text(h) end as content, case when h.id is not null then handover_personal(h) end as words
    from records r left join handovers h on h.id = r.k1 where r.kind = 'handover'
  ), limits as (
    select r.*, true as there, case when s.id is null then 'gone' else setting_text(s) end as content, null as words
    from records r left join settings s on s.id = r.k1
    where r.kind = 'setting' and not exists (select 1 from source_hashes n where n.kind = 'setting' and n.k1 = r.k1 and n.k2 = r.k2 + 1)
  ), persons as (
    select r.*, o.id is not null as there, case when o.id is not null then erasure_text(o) end as content, null as words
    from records r left join erasures o on o.id = r.k1 where r.kind = 'erasure_approval'
  ), sources as (
    select * from facts union all select * from messages union all select * from lines union all select * from payments union all select * from closings
    union all select * from prices union all select * from confirmations union all select * from approvals union all select * from visits union all select * from limits
    union all select * from persons
  ), versions as materialized (
    select r.id, r.station_id as in_station, r.k1, r.k2, r.digest, v, v.express_id is not null as there,
      (select b.hash from express_versions b where b.express_id = r.k1 and b.no = r.k2 - 1) as hash_before,
      not exists (select 1 from express_versions n where n.express_id = r.k1 and n.no > r.k2) as newest
    from records r left join express_versions v on (v.express_id, v.no) = (r.k1, r.k2) where r.kind = 'version'
  ), terms as materialized (
    -- Parcels of a station share frozen terms, so each of these is hashed once.
    select t.digest from (select distinct (v).terms_digest as digest from versions where there) k join frozen_terms t on t.digest = k.digest
    where t.digest = source_digest(t.terms::text)
  )
  select 'I11', format('%s %s', s.kind, case when s.kind in ('fact', 'price_version') then s.k1 || ' no. ' || s.k2 when s.kind = 'approval' then s.k1 || ' by ' || s.k2 else s.k1::text end), array[s.station_id],
      case when not s.there then 'is gone' else 'is not what was stored' end
    from sources s
    where not s.there or s.digest is distinct from source_record_digest(s.kind, s.k1, s.k2, s.personal, s.content)
      or case when s.personal is null then coalesce(s.words, '') <> '' and s.content <> 'gone'
        when s.salt is null then s.words is distinct from source_blank(s.kind) or not exists (select 1 from source_hashes e where e.kind = 'erasure' and e.k1 = s.id)
        else s.personal is distinct from source_personal(s.salt, s.words) end
  union all select 'I11', format('parcel %s version %s', k1, k2), array[in_station], case when not there then 'is gone' else 'does not fit its hash or the version before' end
    from versions where not there or digest is distinct from (v).hash or (v).hash is distinct from express_version_hash(v) or (v).hash_before is distinct from coalesce(hash_before, '')
      or ((v).packed_content is not null and left((v).packed_content, 20) not in (select id from shapes))
      or (k2 > 1 and hash_before is null) or (v).station_id is distinct from in_station
  union all select 'I11', format('parcel %s version %s', k1, k2), array[in_station], 'its frozen terms are not what they were'
    from versions where there and (v).terms_digest is not null and (v).terms_digest not in (select digest from terms)
  union all select 'I11', 'parcel ' || k1, array[in_station], case when e.id is null then 'is gone' else 'is not what its newest version says' end
    from versions left join expresses e on e.id = k1
    where there and newest and (e.id is null or e.terms is null or not express_fits_version(e, v) or source_digest(e.terms::text) is distinct from (v).terms_digest
      or e.station_id is distinct from (v).station_id or (v).salt is null or source_personal((v).salt, express_personal(e)) is distinct from (v).personal)
  -- A version without a salt needs the record of an approved erasure. A version of an erased person
  -- must follow a version without a salt.
  union all select 'I11', format('parcel %s version %s', k1, k2), array[in_station], 'is erased without a record'
    from versions w where there and (((v).salt is null and not exists (select 1 from source_hashes e join source_hashes a on a.kind = 'erasure_approval' and a.k1 = e.k2
        where e.kind = 'erasure' and e.k1 = w.id))
      or (version_is_erased(v) and not exists (select 1 from express_versions b where b.express_id = w.k1 and b.no < w.k2 and b.salt is null)))
  -- An erasure of a person was approved.
  union all select 'I11', 'erasure ' || r.k1, array[r.station_id], 'was approved by nobody' from records r
    where r.kind = 'erasure' and r.k2 > 0 and not exists (select 1 from source_hashes a where a.kind = 'erasure_approval' and a.k1 = r.k2)
  -- The hash of an erasure fits its record.
  union all select 'I11', 'erasure ' || r.k1, array[r.station_id], 'does not fit its hash' from records r
    where r.kind = 'erasure' and r.digest is distinct from source_record_digest('erasure', r.k1, r.k2, null, '')
  -- The records of one row have numbers without a gap, and every kind is known.
  union all select 'I11', format('%s %s', r.kind, r.k1), array[r.station_id], 'is a record of nothing' from records r
    where r.kind not in ('version', 'fact', 'message', 'bill_line', 'payment', 'closing', 'price_version', 'confirmation', 'approval', 'handover', 'setting', 'erasure', 'erasure_approval')
      or (r.kind in ('bill_line', 'setting') and r.k2 > 1 and not exists (select 1 from source_hashes b where b.kind = r.kind and b.k1 = r.k1 and b.k2 = r.k2 - 1))
  union all select 'I8', format('sources of %s block %s', r.station_id, r.block), array[r.station_id], 'does not hold the records it was made of'
    from (select distinct station_id, block from records where block is not null) r
    where not exists (select 1 from source_blocks b where b.station_id = r.station_id and b.seq = r.block);
end $$;

-- I11 of parcels: their amounts equal their statements, holds, shares and fee.
create or replace function source_price_proof(ids bigint[]) returns table (invariant text, subject text, stations bigint[], detail text)
  language plpgsql stable set search_path = public, pg_temp as $$
#variable_conflict use_column
begin
  return query
  with priced as materialized (
    select e.id, e.station_id, e.state_code, e.charged_at, e.post_amount, row(e.pre_amount, e.discount_amount, e.guarantee_amount, e.post_amount)::text as shown,
      coalesce(e.jd_amount, 0) as jd_amount, coalesce((select sum(case when jsonb_typeof(x -> 'amount') = 'number' then (x ->> 'amount')::numeric end)
        from jsonb_array_elements(case when jsonb_typeof(e.shares) = 'array' then e.shares else '[]' end) x), 0) as shared, m.*,
      (select sum(h.amount) from ledger_holds h where h.express_id = e.id and h.status = 'open') as held,
      coalesce((select sum(n.amount) from ledger_transfers t join ledger_entries n on n.transfer_id = t.id and n.account = 'carrier_payable'
        where t.express_id = e.id and t.kind = 'carrier_fee'), 0) as fee
    from unnest(ids) w (id) cross join lateral (select e.* from expresses e where e.id = w.id offset 0) e cross join lateral (
      select row(sum(s.pre_amount) filter (where own), sum(s.discount_amount) filter (where own), sum(s.guarantee_amount) filter (where own), sum(s.post_amount) filter (where own))::text as charged,
        coalesce(sum(s.amount) filter (where s.type = 'profit'), 0) as earned, count(*) filter (where own and s.type = 'charge') as charges,
        count(*) filter (where s.type = 'reversal') as reversals
      from (select s.*, s.station_id = e.station_id and s.type in ('charge', 'reweigh', 'surcharge') as own from statements s where s.express_id = e.id and s.seq is not null) s) m
    where e.terms is not null
  )
  -- The platform alone bears later costs of a reversed parcel, so its price may differ.
  select 'I11', 'parcel ' || id, array[station_id], format('shows %s, was charged %s', shown, charged) from priced where charges > 0 and reversals = 0 and shown <> charged
  union all select 'I11', 'parcel ' || id, array[station_id], format('%s charges, but %s', charges, case when charged_at is null then 'shows none' else 'shows one' end)
    from priced where (charges > 0) <> (charged_at is not null)
  union all select 'I11', 'parcel ' || id, array[station_id], format('shares of %s, posted %s', shared, earned) from priced
    where reversals = 0 and earned <> case when charges > 0 then shared else 0 end
  union all select 'I11', 'parcel ' || id, array[station_id], format('carrier''s fee %s, posted %s', jd_amount, fee) from priced where jd_amount <> fee
  -- A hold may exceed the price while the carrier has not answered a change. It may be below the
  -- price if the carrier measured more than it covers. After the pickup it no longer changes.
  union all select 'I11', 'parcel ' || id, array[station_id], format('costs %s, holds %s', post_amount, held) from priced p
    where held <> post_amount and not (held > post_amount and exists (select 1 from express_edits x where x.express_id = p.id and x.status in ('pending', 'unclear')))
      and not ((held < post_amount or state_code <> 100) and exists (select 1 from express_facts f where f.express_id = p.id and f.source in ('poll', 'push', 'bill', 'accepted')));
end $$;

-- I11: facts and versions without a record and parcels without a version, above the parcel `low`
-- and up to `high`.
create or replace function source_parcel_gaps(low bigint, high bigint) returns table (invariant text, subject text, stations bigint[], detail text)
  language plpgsql stable set search_path = public, pg_temp as $$
#variable_conflict use_column
begin
  return query
  select 'I11', format('fact %s no. %s', f.express_id, f.no), array[f.station_id], 'has no record' from express_facts f
    where f.express_id > low and f.express_id <= high and not exists (select 1 from source_hashes h where h.kind = 'fact' and h.k1 = f.express_id and h.k2 = f.no and h.k1 > low and h.k1 <= high)
  union all select 'I11', format('parcel %s version %s', v.express_id, v.no), array[v.station_id], 'has no record' from express_versions v
    where v.express_id > low and v.express_id <= high and not exists (select 1 from source_hashes h where h.kind = 'version' and h.k1 = v.express_id and h.k2 = v.no and h.k1 > low and h.k1 <= high)
  union all select 'I11', 'parcel ' || e.id, array[e.station_id], 'has no version' from expresses e
    where e.id > low and e.id <= high and e.terms is not null and not exists (select 1 from express_versions v where v.express_id = e.id and v.express_id > low and v.express_id <= high);
end $$;

-- I11: published prices, confirmed months, approvals, closed hand-overs and settings without a record, written after `since`.
create or replace function source_row_gaps(since timestamptz) returns table (invariant text, subject text, stations bigint[], detail text)
  language plpgsql stable set search_path = public, pg_temp as $$
#variable_conflict use_column
begin
  return query
  select 'I11', format('price_version %s no. %s', v.voucher_id, v.no), array[0::bigint], 'has no record' from voucher_versions v
    where v.published_at > since and not exists (select 1 from source_hashes h where h.kind = 'price_version' and h.k1 = v.voucher_id and h.k2 = v.no)
  union all select 'I11', 'confirmation ' || c.id, array[c.station_id], 'has no record' from statement_confirmations c
    where c.at > since and not exists (select 1 from source_hashes h where h.kind = 'confirmation' and h.k1 = c.id)
  union all select 'I11', format('approval %s by %s', a.statement_id, a.account_id), array[s.station_id], 'has no record'
    from request_approvals a left join statements s on s.id = a.statement_id
    where a.at > since and not exists (select 1 from source_hashes h where h.kind = 'approval' and h.k1 = a.statement_id and h.k2 = a.account_id)
  union all select 'I11', 'handover ' || h.id, array[h.station_id], 'has no record' from handovers h
    where h.status = 'closed' and h.ended_at > since and not exists (select 1 from source_hashes r where r.kind = 'handover' and r.k1 = h.id)
  union all select 'I11', 'setting ' || s.id, array[0::bigint], 'has no record' from settings s
    where s.updated_at > since and not exists (select 1 from source_hashes h where h.kind = 'setting' and h.k1 = s.id);
end $$;

-- I8 of blocks: each covers the records it was made of, and follows from the block before. `blocks`
-- has [station, number] pairs.
create or replace function source_block_proof(blocks jsonb) returns table (invariant text, subject text, stations bigint[], detail text)
  language plpgsql stable set search_path = public, pg_temp set work_mem = '64MB' as $$
#variable_conflict use_column
begin
  return query
  with looked as materialized (
    select b, p.seq as seq_before, p.hash as hash_before, g.* from jsonb_array_elements(blocks) x
      join source_blocks b on b.station_id = (x ->> 0)::bigint and b.seq = (x ->> 1)::bigint
      left join source_blocks p on p.station_id = b.station_id and p.seq = b.seq - 1
      cross join lateral (select count(*) as records, sha256(string_agg(source_record_bytes(r), '' order by r.id)) as content
        from source_hashes r where r.station_id = b.station_id and r.block = b.seq) g
  )
  select 'I8', format('sources of %s block %s', (b).station_id, (b).seq), array[(b).station_id], 'does not follow from the block before'
    from looked where ((b).seq <> 1 and seq_before is null) or (b).hash is distinct from source_block_hash(coalesce(hash_before, ''), b)
  union all select 'I8', format('sources of %s block %s', (b).station_id, (b).seq), array[(b).station_id], 'does not hold the records it was made of'
    from looked where (records, content) is distinct from ((b).records, (b).content);
end $$;

-- I12: a closed month equals its last closing.
create or replace function period_closing_proof() returns table (invariant text, subject text, stations bigint[], detail text)
  language plpgsql stable set search_path = public, pg_temp as $$
#variable_conflict use_column
begin
  return query
  with months as materialized (
    select p as m, (select c from period_closings c where c.period = p.period order by c.id desc limit 1) as c,
      (select c from period_closings c where c.period = p.period and c.action = 'reopen' order by c.id desc limit 1) as o from periods p
  )
  select 'I12', 'period ' || (m).period, null::bigint[],
      case when (c).id is null then format('is %s without a closing', (m).status) else format('is %s, not what its last closing says', (m).status) end
    from months
    where case when (m).status = 'closed' then (c).id is null or (c).action = 'reopen'
        or ((m).entries, (m).trial_balance, (m).last_transfer_id, (m).closed_at, (m).closed_by) is distinct from ((c).entries, (c).trial_balance, (c).last_transfer_id, (c).at, (c).account_id)
        or ((o).id is not null and ((m).reopened_at, (m).reopened_by, (m).reopen_reason) is distinct from ((o).at, (o).account_id, (o).reason))
        or period_reasons(m) is distinct from (c).reasons
        or (select coalesce(jsonb_agg(to_jsonb(b) - 'period' order by b.station_id), '[]') from period_balances b where b.period = (m).period) is distinct from (c).balances
      else (c).id is not null and ((c).action <> 'reopen' or ((m).reopened_at, (m).reopened_by, (m).reopen_reason) is distinct from ((c).at, (c).account_id, (c).reason)) end
  union all select 'I12', 'period ' || c.period, null::bigint[], 'has closings and is gone' from period_closings c where not exists (select 1 from periods p where p.period = c.period);
end $$;

revoke execute on function source_make_blocks(timestamptz) from public;
