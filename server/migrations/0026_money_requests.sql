-- Precondition: 0015_refunds, 0014_boards.
-- Top-ups, refunds and payouts may wait for a second person; a top-up can be reversed; payouts of a parcel have an upper limit (docs/ledger.md, Limits).

-- Of a reversal of a top-up: the top-up's row. At most one that waits or was posted.
alter table statements add column reverses_id bigint references statements (id);
create unique index statements_reverses on statements (reverses_id) where reverses_id is not null and status <> 'declined';
-- What one person posted without a second one, for the limits of a business day.
create index statements_account on statements (account_id, posted_at) include (station_id, type, amount, decided_by) where account_id is not null and type in ('top_up', 'adjustment', 'refund', 'payout');

-- Rows that reverse nothing keep the text, and with it the hash, they had.
create or replace function ledger_statement_text(s statements) returns text language sql stable parallel safe as $$
  select json_build_array(s.id, s.station_id, s.transfer_id, s.seq, s.type, s.express_id, s.delivery_id, s.amount, s.freeze_amount, s.pre_amount, s.discount,
    s.discount_amount, s.guarantee_amount, s.post_amount, s.available, s.balance, s.profit, s.description, s.period, s.has_amount, s.fixed_freeze,
    s.account_id, s.decided_by, s.decision_reason, ledger_micros(s.created_at), ledger_micros(s.posted_at))::text
    || case when s.reverses_id is null then '' else json_build_array(s.reverses_id)::text end
$$;

-- What is left of a parcel's price after refunds; `waiting`: less what is asked for as well.
create function ledger_refund_left(express bigint, station bigint, waiting boolean) returns bigint language sql stable as $$
  select -coalesce(sum(s.amount) filter (where s.seq is not null), 0)::bigint - coalesce(sum(s.amount) filter (where waiting and s.status = 'pending'), 0)::bigint
  from statements s where s.express_id = express and s.station_id = station and s.type in ('charge', 'reweigh', 'surcharge', 'refund')
$$;

-- What was paid out for a parcel; `waiting`: and what is asked for.
create function ledger_paid_out(express bigint, waiting boolean) returns bigint language sql stable as $$
  select coalesce(sum(s.amount), 0)::bigint from statements s where s.express_id = express and s.type = 'payout' and (s.seq is not null or (waiting and s.status = 'pending'))
$$;

create or replace function ledger_reads(m jsonb) returns text language sql immutable as $$
  select case when m ->> 'movement' in ('difference', 'refund', 'payout', 'reversal') then 'parcel ' || coalesce(m ->> 'express_id', '')
    when m ->> 'movement' = 'carrier_fee' then 'fee ' || (m ->> 'express_id') end
$$;

create function ledger_check_refund(t ledger_transfers, amount bigint, waiting boolean) returns void language plpgsql as $$
declare
  left_amount bigint;
begin
  perform ledger_charge_of(t.express_id);
  if ledger_reversed(t.express_id) then perform ledger_fail('parcel_reversed'); end if;
  left_amount := ledger_refund_left(t.express_id, t.station_id, waiting);
  if amount > left_amount then perform ledger_fail('refund_too_large', jsonb_build_object('left_amount', left_amount)); end if;
end $$;

-- `limit_amount` is what the caller worked out from the parcel's frozen terms.
create function ledger_check_payout(t ledger_transfers, m jsonb, amount bigint, waiting boolean) returns void language plpgsql as $$
declare
  limit_amount bigint := (m ->> 'limit_amount')::bigint;
  left_amount bigint;
begin
  if limit_amount is null then raise exception 'a payout without its limit: %', m; end if;
  left_amount := greatest(limit_amount - ledger_paid_out(t.express_id, waiting), 0);
  if amount > left_amount then
    perform ledger_fail('payout_too_large', jsonb_build_object('limit_amount', limit_amount, 'left_amount', left_amount));
  end if;
end $$;

create or replace function ledger_refund(t ledger_transfers, m jsonb) returns ledger_draft language plpgsql as $$
declare
  charge statements := ledger_charge_of(t.express_id);
begin
  perform ledger_check_refund(t, ledger_amount(m), true);
  m := jsonb_build_object('delivery_id', charge.delivery_id) || jsonb_strip_nulls(m);
  return ledger_posting(t, array[ledger_line(t, m, t.station_id, 'refund', ledger_amount(m), 0)], '{revenue}', array[-ledger_amount(m)]);
end $$;

create or replace function ledger_payout(t ledger_transfers, m jsonb, held ledger_holds) returns ledger_draft language plpgsql as $$
begin
  perform ledger_check_payout(t, m, ledger_amount(m), true);
  return ledger_posting(t, array[ledger_line(t, ledger_named(m, held), t.station_id, 'payout', ledger_amount(m), 0)], '{revenue}', array[-ledger_amount(m)]);
end $$;

-- As in 0015, of refunds that were posted.
create or replace function ledger_difference(t ledger_transfers, m jsonb) returns ledger_draft language plpgsql as $$
declare
  price ledger_price := ledger_price_of(m -> 'price_after');
  charge statements := ledger_charge_of(t.express_id);
  charged ledger_price := ledger_charged(t.express_id, charge.station_id);
  step ledger_price := ledger_price_step(price, charged);
  refunded bigint;
  due bigint;
  lines statements[];
  earned bigint;
begin
  -- Once reversed, later facts of a parcel are the platform's cost alone.
  if ledger_reversed(t.express_id) then return ledger_quiet(t); end if;
  if ledger_price_of(m -> 'price_before') <> charged then raise exception 'parcel % was charged %, not %', t.express_id, charged, m -> 'price_before'; end if;
  m := jsonb_build_object('delivery_id', charge.delivery_id, 'description', charge.description) || jsonb_strip_nulls(m);
  lines := ledger_share_lines(t, m, m -> 'shares_after', price);
  earned := ledger_sum(lines);
  select coalesce(sum(s.amount), 0) into refunded from statements s
    where s.express_id = t.express_id and s.station_id = charge.station_id and s.type = 'refund' and s.seq is not null;
  due := greatest(price.post_amount - refunded, 0) - greatest(charged.post_amount - refunded, 0);
  if (step.pre_amount, step.discount_amount, step.guarantee_amount) <> (0, 0, 0) then
    lines := ledger_priced(ledger_line(t, m, t.station_id, t.kind, -due, 0), step) || lines;
  end if;
  if cardinality(lines) = 0 then return ledger_quiet(t); end if;
  return ledger_posting(t, lines, '{revenue}', array[due - earned]);
end $$;

-- As in 0003, of rows that were posted.
create or replace function ledger_reversal(t ledger_transfers, m jsonb) returns ledger_draft language plpgsql as $$
declare
  charge statements := ledger_charge_of(t.express_id);
  charged ledger_price := ledger_charged(t.express_id, charge.station_id);
  lines statements[] := '{}';
  line statements;
  past record;
begin
  if ledger_reversed(t.express_id) then perform ledger_fail('parcel_reversed'); end if;
  m := jsonb_build_object('delivery_id', charge.delivery_id, 'description', m ->> 'reason') || m;
  for past in
    select s.station_id, sum(s.amount)::bigint as amount, sum(s.profit)::bigint as profit from statements s
    where s.express_id = t.express_id and s.type in ('charge', 'reweigh', 'surcharge', 'refund', 'profit') and s.seq is not null
    group by 1 having sum(s.amount) <> 0 or s.station_id = charge.station_id order by s.station_id
  loop
    line := ledger_line(t, m, past.station_id, 'reversal', -past.amount, 0);
    line.profit := -past.profit;
    if past.station_id = charge.station_id then
      line := ledger_priced(line, (-charged.pre_amount, charged.discount, -charged.discount_amount, -charged.guarantee_amount, -charged.post_amount)::ledger_price);
    end if;
    lines := lines || line;
  end loop;
  update statements s set status = 'reversed', updated_at = t.at, hash = ledger_statement_hash(ledger_statement_text(s), 'reversed', t.at)
    where s.express_id = t.express_id and s.type in ('charge', 'reweigh', 'surcharge', 'refund', 'profit') and s.seq is not null;
  return ledger_posting(t, lines, '{revenue}', array[-ledger_sum(lines)]);
end $$;

-- The top-up to be reversed, while the wallet still holds as much. `request`: the row that asks for it, when it is decided.
create function ledger_reversible_top_up(statement bigint, funds ledger_funds, request bigint) returns statements language plpgsql as $$
declare
  top_up statements;
begin
  select * into top_up from statements where id = statement and station_id = funds.station_id;
  if not found then perform ledger_fail('not_found'); end if;
  if top_up.type <> 'top_up' or top_up.seq is null then perform ledger_fail('not_reversible'); end if;
  if top_up.status = 'reversed' then perform ledger_fail('top_up_reversed'); end if;
  if exists (select 1 from statements s where s.reverses_id = statement and s.status = 'pending' and s.id is distinct from request) then
    perform ledger_fail('top_up_reversal_pending');
  end if;
  if funds.money - funds."freeze" < top_up.amount then
    perform ledger_fail('top_up_spent', jsonb_build_object('missing_amount', top_up.amount - funds.money + funds."freeze"));
  end if;
  return top_up;
end $$;

create function ledger_set_reversed(statement bigint, moment timestamptz) returns void language plpgsql as $$
begin
  update statements s set status = 'reversed', updated_at = moment, hash = ledger_statement_hash(ledger_statement_text(s), 'reversed', moment) where s.id = statement;
end $$;

create function ledger_top_up_reversal(t ledger_transfers, m jsonb, funds ledger_funds) returns ledger_draft language plpgsql as $$
declare
  top_up statements := ledger_reversible_top_up((m ->> 'statement_id')::bigint, funds, null);
  line statements := ledger_line(t, jsonb_build_object('description', m ->> 'reason'), t.station_id, 'reversal', -top_up.amount, 0);
begin
  line.reverses_id := top_up.id;
  perform ledger_set_reversed(top_up.id, t.at);
  return ledger_posting(t, array[line], '{cash}', array[top_up.amount]);
end $$;

-- A request that waits for a second person and moves nothing: a withdrawal, which must be available; an adjustment of either sign; a top-up or the
-- reversal of one; a refund or a payout of a parcel. What would be refused at once is refused when it is asked for.
create or replace function ledger_request(t ledger_transfers, m jsonb, funds ledger_funds) returns ledger_draft language plpgsql as $$
declare
  amount bigint;
  top_up statements;
  line statements;
begin
  if t.kind = 'reversal' then
    top_up := ledger_reversible_top_up((m ->> 'statement_id')::bigint, funds, null);
    amount := -top_up.amount;
    m := jsonb_build_object('description', m ->> 'reason') || m;
  else
    amount := ledger_amount(m, t.kind = 'adjustment');
  end if;
  if t.kind = 'withdrawal' then
    if ledger_available(funds) < amount then return ledger_missing(t, amount - ledger_available(funds)); end if;
    amount := -amount;
  elsif t.kind = 'refund' then
    perform ledger_check_refund(t, amount, true);
  elsif t.kind = 'payout' then
    perform ledger_check_payout(t, m, amount, true);
  end if;
  line := ledger_line(t, m, t.station_id, t.kind, amount, 0);
  line.reverses_id := top_up.id;
  line.id := nextval('statements_id_seq');
  line.status := 'pending';
  line.updated_at := t.at;
  line.hash := ledger_statement_hash(ledger_statement_text(line), 'pending', t.at);
  insert into statements values (line.*);
  return ledger_quiet(t, line.id);
end $$;

-- `alone` 1: nobody else could decide in time, so the one who asked may; the caller has checked that.
create function ledger_approvable(t ledger_transfers, m jsonb) returns statements language plpgsql as $$
begin
  if coalesce((m ->> 'alone')::int, 0) = 1 then t.account_id := 0; end if;
  return ledger_request_of(t, (m ->> 'statement_id')::bigint);
end $$;

create or replace function ledger_approve(t ledger_transfers, m jsonb, funds ledger_funds) returns ledger_draft language plpgsql as $$
declare
  line statements := ledger_approvable(t, m);
begin
  t.kind := line.type;
  t.express_id := line.express_id;
  if line.type = 'withdrawal' and ledger_available(funds) < -line.amount then return ledger_missing(t, -line.amount - ledger_available(funds)); end if;
  if line.type = 'refund' then perform ledger_check_refund(t, line.amount, false); end if;
  if line.type = 'payout' then perform ledger_check_payout(t, m, line.amount, false); end if;
  if line.type = 'reversal' then
    perform ledger_reversible_top_up(line.reverses_id, funds, line.id);
    perform ledger_set_reversed(line.reverses_id, t.at);
  end if;
  line.decided_by := t.account_id;
  return ledger_posting(t, array[line], array[case when line.type in ('withdrawal', 'top_up', 'reversal') then 'cash' else 'revenue' end]::ledger_account[], array[-line.amount]);
end $$;

create or replace function ledger_draft_of(t ledger_transfers, m jsonb, held ledger_holds, funds ledger_funds) returns ledger_draft language plpgsql as $$
begin
  return case m ->> 'movement'
    when 'hold' then ledger_hold(t, m, funds)
    when 'change_hold' then ledger_change_hold(t, m, held, funds)
    when 'release' then ledger_release(t, m, held)
    when 'charge' then ledger_charge(t, m, held)
    when 'difference' then ledger_difference(t, m)
    when 'carrier_fee' then ledger_carrier_fee(t, m)
    when 'top_up' then ledger_top_up(t, m)
    when 'refund' then ledger_refund(t, m)
    when 'payout' then ledger_payout(t, m, held)
    when 'adjustment' then ledger_adjustment(t, m)
    when 'request' then ledger_request(t, m, funds)
    when 'approve' then ledger_approve(t, m, funds)
    when 'decline' then ledger_decline(t, m)
    when 'reversal' then case when m ? 'statement_id' then ledger_top_up_reversal(t, m, funds) else ledger_reversal(t, m) end
    when 'carrier_paid' then ledger_carrier_paid(t, m)
  end;
end $$;

-- As in 0014; what a station spends on parcels has nothing to do with a top-up that is taken back.
create or replace function ledger_day_rows(e ledger_entries, t ledger_transfers) returns table (what text, earner_id bigint, n bigint, amount bigint) language sql immutable as $$
  select e.account::text, 0::bigint, 1::bigint, e.amount where e.account in ('revenue', 'carrier_cost') and e.amount <> 0
  union all select 'profit', e.station_id, 1, e.amount where e.account = 'wallet' and e.station_id <> t.station_id and e.amount <> 0
  union all select 'spent', 0, 1, -e.amount where e.account in ('wallet', 'holds') and e.station_id = t.station_id and e.amount <> 0
    and (t.kind in ('charge', 'reweigh', 'surcharge', 'refund') or (t.kind = 'reversal' and t.express_id is not null))
  union all select case sign(e.amount) when -1 then 'reweigh_up' when 1 then 'reweigh_down' else 'reweigh_even' end, 0, 1, abs(e.amount)
    where t.kind = 'reweigh' and e.account = 'wallet' and e.station_id = t.station_id
$$;

-- In the proof, a row's reversal is its parcel's, or of a top-up the transfer that took it back. The rest of the function stays as the migrations before left it.
do $$
declare
  def text := pg_get_functiondef('ledger_proof(boolean)'::regprocedure);
  found text := 'left join ledger_transfers r on r.express_id = s.express_id and r.kind = ''reversal'' and r.id > t.id and s.type in (''charge'', ''reweigh'', ''surcharge'', ''refund'', ''profit'')';
begin
  if position(found in def) = 0 then raise exception 'ledger_proof does not say what 0026 changes'; end if;
  execute replace(def, found, replace(found, 'ledger_transfers r on r.express_id = s.express_id and r.kind = ''reversal'' and r.id', 'ledger_transfers p on p.express_id = s.express_id and p.kind = ''reversal'' and p.id')
    || ' left join statements q on s.type = ''top_up'' and q.reverses_id = s.id and q.transfer_id is not null left join ledger_transfers b on b.id = q.transfer_id and q.amount = -s.amount'
    || ' cross join lateral (select coalesce(p.id, b.id) as id, coalesce(p.at, b.at) as at) r');
end $$;

-- The limit of adjustments is one of refunds and payouts too.
update settings set name = 'given_alone_limit' where name = 'adjustment_limit';
