-- The proof of the sources (I11, I12) and of their blocks (I8); docs/ledger.md, Proof.

-- What of a record its block holds: everything but the salt, which may go.
create or replace function source_record_bytes(h source_hashes) returns bytea language sql stable as $$
  select int8send(h.id) || source_digest(json_build_array(h.kind, h.k1, h.k2, h.baseline, ledger_micros(h.at), encode(h.personal, 'hex'))::text) || h.digest
$$;

create or replace function source_block_hash(hash_before bytea, b source_blocks) returns bytea language sql stable as
  $$ select sha256(hash_before || int8send(b.station_id) || int8send(b.seq) || int8send(b.records) || int8send(ledger_micros(b.at)) || b.content) $$;

-- Gathers the records that are in no block yet into one block a station. One at a time, under the lock of the proof. Answers how many records there were.
create or replace function source_make_blocks(moment timestamptz) returns bigint language plpgsql security definer set search_path = public, pg_temp set jit = off as $$
declare
  gathered_count bigint;
begin
  perform pg_advisory_xact_lock(hashtextextended('ledger_prove', 0));
  with fresh as materialized (
    select station_id, count(*) as records, array_agg(id) as ids, sha256(string_agg(source_record_bytes(h), '' order by id)) as content
    from source_hashes h where block is null group by station_id
  ), drafts as materialized (
    select row(f.station_id, coalesce(b.seq, 0) + 1, f.records, moment, f.content, '', 0)::source_blocks as b, coalesce(b.hash, '') as hash_before, f.ids
    from fresh f left join lateral (select seq, hash from source_blocks b where b.station_id = f.station_id order by seq desc limit 1) b on true
  ), kept as (
    insert into source_blocks select (b).station_id, (b).seq, (b).records, (b).at, (b).content, source_block_hash(hash_before, b) from drafts
  ), joined as (
    update source_hashes h set block = (d.b).seq from drafts d, unnest(d.ids) as member (id) where h.id = member.id returning 1
  )
  select count(*) into gathered_count from joined;
  return gathered_count;
end $$;

-- I11: what feeds the ledger is what its hashes say. Not whole: what came since the checkpoint of its station.
create or replace function source_proof(whole boolean) returns table (invariant text, subject text, stations bigint[], detail text)
  language plpgsql stable set search_path = public, pg_temp set jit = off as $$
#variable_conflict use_column
begin
  return query
  with records as materialized (
    select h.* from source_hashes h where whole
    union all
    select h.* from (select s.id as station_id, coalesce(c.source_seq, 0) as seq from (select id from stations union all select 0) s
        left join ledger_checkpoints c on c.station_id = s.id) k
      join source_hashes h on h.station_id = k.station_id and h.block > k.seq where not whole
    union all
    select h.* from source_hashes h where not whole and h.block is null
  ), facts as (
    select r.*, f.express_id is not null as there, case when f.express_id is not null then fact_text(f) end as content, f.reason as words
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
  ), sources as (
    select * from facts union all select * from messages union all select * from lines union all select * from payments union all select * from closings
  ), versions as materialized (
    select r.station_id as in_station, r.k1, r.k2, r.digest, v, v.express_id is not null as there,
      (select b.hash from express_versions b where b.express_id = r.k1 and b.no = r.k2 - 1) as hash_before,
      not exists (select 1 from express_versions n where n.express_id = r.k1 and n.no > r.k2) as newest
    from records r left join express_versions v on (v.express_id, v.no) = (r.k1, r.k2) where r.kind = 'version'
  ), parcels as materialized (
    select e.* from expresses e where whole and e.terms is not null
    union all
    select e.* from (select distinct k1 from versions where not whole) k join expresses e on e.id = k.k1
  ), priced as materialized (
    select e.id, e.station_id, e.state_code, e.charged_at, e.post_amount, row(e.pre_amount, e.discount_amount, e.guarantee_amount, e.post_amount)::text as shown,
      coalesce(e.jd_amount, 0) as jd_amount, coalesce((select sum(case when jsonb_typeof(x -> 'amount') = 'number' then (x ->> 'amount')::numeric end)
        from jsonb_array_elements(case when jsonb_typeof(e.shares) = 'array' then e.shares else '[]' end) x), 0) as shared, m.*,
      (select sum(h.amount) from ledger_holds h where h.express_id = e.id and h.status = 'open') as held
    from parcels e cross join lateral (
      select row(sum(s.pre_amount) filter (where own), sum(s.discount_amount) filter (where own), sum(s.guarantee_amount) filter (where own), sum(s.post_amount) filter (where own))::text as charged,
        coalesce(sum(s.amount) filter (where s.type = 'profit'), 0) as earned, count(*) filter (where own and s.type = 'charge') as charges,
        count(*) filter (where s.type = 'reversal') as reversals
      from (select s.*, s.station_id = e.station_id and s.type in ('charge', 'reweigh', 'surcharge') as own from statements s where s.express_id = e.id and s.seq is not null) s) m
  )
  select 'I11', format('%s %s', s.kind, case when s.kind = 'fact' then s.k1 || ' no. ' || s.k2 else s.k1::text end), array[s.station_id],
      case when not s.there then 'is gone' else 'is not what was stored' end
    from sources s
    where not s.there or s.digest is distinct from source_record_digest(s.kind, s.k1, s.k2, s.personal, s.content)
      or case when s.personal is null then coalesce(s.words, '') <> '' and s.content <> 'gone'
        when s.salt is null then s.words is distinct from source_blank(s.kind) or not exists (select 1 from source_hashes e where e.kind = 'erasure' and e.k1 = s.id)
        else s.personal is distinct from source_personal(s.salt, s.words) end
  union all select 'I11', format('parcel %s version %s', k1, k2), array[in_station], case when not there then 'is gone' else 'does not fit its hash or the version before' end
    from versions where not there or digest is distinct from (v).hash or (v).hash is distinct from express_version_hash(v) or (v).hash_before is distinct from coalesce(hash_before, '')
      or (k2 > 1 and hash_before is null) or (v).station_id is distinct from in_station
  union all select 'I11', format('parcel %s version %s', k1, k2), array[in_station], 'its frozen terms are not what they were'
    from versions left join frozen_terms t on t.digest = (v).terms_digest where there and (t.digest is null or t.digest is distinct from source_digest(t.terms::text))
  union all select 'I11', 'parcel ' || k1, array[in_station], case when e.id is null then 'is gone' else 'is not what its newest version says' end
    from versions left join expresses e on e.id = k1
    where there and newest and (e.id is null or e.terms is null or express_content(e) is distinct from (v).content or source_digest(e.terms::text) is distinct from (v).terms_digest
      or e.station_id is distinct from (v).station_id or (v).salt is null or source_personal((v).salt, express_personal(e)) is distinct from (v).personal)
  -- A parcel's amounts equal its statements. Once reversed, its later facts are the platform's cost alone.
  union all select 'I11', 'parcel ' || id, array[station_id], format('shows %s, was charged %s', shown, charged) from priced where charges > 0 and reversals = 0 and shown <> charged
  union all select 'I11', 'parcel ' || id, array[station_id], format('%s charges, but %s', charges, case when charged_at is null then 'shows none' else 'shows one' end)
    from priced where (charges > 0) <> (charged_at is not null)
  union all select 'I11', 'parcel ' || id, array[station_id], format('shares of %s, posted %s', shared, earned) from priced
    where reversals = 0 and earned <> case when charges > 0 then shared else 0 end
  union all select 'I11', 'parcel ' || p.id, array[p.station_id], format('carrier''s fee %s, posted %s', p.jd_amount, coalesce(f.amount, 0))
    from priced p left join lateral (select sum(n.amount) as amount from ledger_transfers t join ledger_entries n on n.transfer_id = t.id and n.account = 'carrier_payable'
      where t.express_id = p.id and t.kind = 'carrier_fee') f on true
    where p.jd_amount <> coalesce(f.amount, 0)
  -- A change that the carrier has not answered holds more; what the carrier measured may not be covered, and after the pickup the hold stands still.
  union all select 'I11', 'parcel ' || id, array[station_id], format('costs %s, holds %s', post_amount, held) from priced p
    where held <> post_amount and not (held > post_amount and exists (select 1 from express_edits x where x.express_id = p.id and x.status in ('pending', 'unclear')))
      and not ((held < post_amount or state_code <> 100) and exists (select 1 from express_facts f where f.express_id = p.id and f.source in ('poll', 'push', 'bill')))
  union all select 'I11', 'transfer ' || t.id, array[t.station_id], 'names a version that its parcel does not have'
    from ledger_transfers t where whole and t.version_hash is not null
      and not exists (select 1 from express_versions v where v.express_id = t.express_id and v.hash = t.version_hash)
  -- Rows without a record.
  union all select 'I11', format('fact %s no. %s', f.express_id, f.no), array[f.station_id], 'has no record' from express_facts f
    where whole and not exists (select 1 from source_hashes h where h.kind = 'fact' and h.k1 = f.express_id and h.k2 = f.no)
  union all select 'I11', 'message ' || m.id, array[m.station_id], 'has no record' from express_messages m
    where whole and not exists (select 1 from source_hashes h where h.kind = 'message' and h.k1 = m.id)
  union all select 'I11', 'bill_line ' || l.id, array[0::bigint], 'has no record' from reconciliation_rows l
    where whole and l.decision <> 'open' and not exists (select 1 from source_hashes h where h.kind = 'bill_line' and h.k1 = l.id)
  union all select 'I11', 'payment ' || p.id, array[0::bigint], 'has no record' from reconciliation_payments p
    where whole and not exists (select 1 from source_hashes h where h.kind = 'payment' and h.k1 = p.id)
  union all select 'I11', 'closing ' || c.id, array[0::bigint], 'has no record' from period_closings c
    where whole and not exists (select 1 from source_hashes h where h.kind = 'closing' and h.k1 = c.id)
  union all select 'I11', format('parcel %s version %s', v.express_id, v.no), array[v.station_id], 'has no record' from express_versions v
    where whole and not exists (select 1 from source_hashes h where h.kind = 'version' and h.k1 = v.express_id and h.k2 = v.no)
  union all select 'I11', 'parcel ' || e.id, array[e.station_id], 'has no version' from parcels e
    where whole and not exists (select 1 from express_versions v where v.express_id = e.id)
  -- An erasure is of a record there is.
  union all select 'I11', 'erasure ' || r.k1, array[r.station_id], 'does not fit its hash' from records r
    where r.kind = 'erasure' and r.digest is distinct from source_record_digest('erasure', r.k1, r.k2, null, '')
  -- A bill line's records run without a gap; a kind that nobody writes is none.
  union all select 'I11', format('%s %s', r.kind, r.k1), array[r.station_id], 'is a record of nothing' from records r
    where r.kind not in ('version', 'fact', 'message', 'bill_line', 'payment', 'closing', 'erasure')
      or (r.kind = 'bill_line' and r.k2 > 1 and not exists (select 1 from source_hashes b where b.kind = 'bill_line' and b.k1 = r.k1 and b.k2 = r.k2 - 1));
end $$;

-- I8 of the blocks: each holds the records it was made of, and follows from the one before.
create or replace function source_chain_proof(whole boolean) returns table (invariant text, subject text, stations bigint[], detail text)
  language plpgsql stable set search_path = public, pg_temp set jit = off as $$
#variable_conflict use_column
begin
  return query
  with heads as materialized (
    select s.id as station_id, coalesce(c.source_seq, 0) as seq, coalesce(c.source_hash, '') as hash
    from (select id from stations union all select 0 union select station_id from source_blocks where whole union select station_id from source_hashes where whole) s
      left join ledger_checkpoints c on c.station_id = s.id and not whole
  ), blocks as materialized (
    select b, lag(b.seq, 1, h.seq) over w as seq_before, lag(b.hash, 1, h.hash) over w as hash_before
    from heads h join source_blocks b on b.station_id = h.station_id and b.seq > h.seq window w as (partition by b.station_id order by b.seq)
  ), gathered as materialized (
    select r.station_id, r.block, count(*) as records, sha256(string_agg(source_record_bytes(r), '' order by r.id)) as content
    from heads h join source_hashes r on r.station_id = h.station_id and r.block > h.seq group by 1, 2
  )
  select 'I8', format('sources of %s block %s', (b).station_id, (b).seq), array[(b).station_id], 'does not follow from the block before'
    from blocks where (b).seq <> seq_before + 1 or (b).hash is distinct from source_block_hash(hash_before, b)
  union all select 'I8', format('sources of %s block %s', coalesce((b).station_id, g.station_id), coalesce((b).seq, g.block)), array[coalesce((b).station_id, g.station_id)],
      'does not hold the records it was made of'
    from blocks full join gathered g on (g.station_id, g.block) = ((b).station_id, (b).seq)
    where (g.records, g.content) is distinct from ((b).records, (b).content);
end $$;

-- I12: a closed month is what its last closing says, and its entries come to the trial balance it was closed with.
create or replace function closing_proof(whole boolean) returns table (invariant text, subject text, stations bigint[], detail text)
  language plpgsql stable set search_path = public, pg_temp set jit = off as $$
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
        or (select coalesce(jsonb_agg(to_jsonb(b) - '{period,tree_id}'::text[] order by b.station_id), '[]') from period_balances b where b.period = (m).period) is distinct from (c).balances
      else (c).id is not null and ((c).action <> 'reopen' or ((m).reopened_at, (m).reopened_by, (m).reopen_reason) is distinct from ((c).at, (c).account_id, (c).reason)) end
  union all select 'I12', 'period ' || c.period, null::bigint[], 'has closings and is gone' from period_closings c where not exists (select 1 from periods p where p.period = c.period)
  union all select 'I12', 'period ' || (m).period, null::bigint[], format('was closed with %s, its entries come to %s', (m).trial_balance, now_is)
    from months cross join lateral (select coalesce(jsonb_object_agg(account, amount), '{}') as now_is
      from (select e.account::text as account, sum(e.amount)::bigint as amount from ledger_entries e where e.period = (m).period group by 1) sums) e
    where whole and (m).status = 'closed' and now_is is distinct from (select coalesce(jsonb_object_agg(coalesce(x ->> 'account', '?'), x -> 'amount'), '{}')
      from jsonb_array_elements(case when jsonb_typeof((m).trial_balance) = 'array' then (m).trial_balance else '[]' end) x);
end $$;

revoke execute on function source_make_blocks(timestamptz) from public;
