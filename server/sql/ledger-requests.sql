-- Refunds, payouts and reversals with their limits, and requests that wait for a second person
-- (docs/ledger.md, Limits).

-- The part of a parcel's price that is not refunded yet. With `waiting`, waiting requests count as
-- refunded.
create or replace function ledger_refund_left(express bigint, station bigint, waiting boolean) returns bigint language sql stable as $$
  select -coalesce(sum(s.amount) filter (where s.seq is not null), 0)::bigint - coalesce(sum(s.amount) filter (where waiting and s.status = 'pending'), 0)::bigint
  from statements s where s.express_id = express and s.station_id = station and s.type in ('charge', 'reweigh', 'surcharge', 'refund')
$$;

-- The amount paid out for a parcel. With `waiting`, waiting requests count as paid out.
create or replace function ledger_paid_out(express bigint, waiting boolean) returns bigint language sql stable as $$
  select coalesce(sum(s.amount), 0)::bigint from statements s where s.express_id = express and s.type = 'payout' and (s.seq is not null or (waiting and s.status = 'pending'))
$$;

create or replace function ledger_check_refund(t ledger_transfers, amount bigint, waiting boolean) returns void language plpgsql as $$
declare
  left_amount bigint;
begin
  perform ledger_charge_of(t.express_id);
  if ledger_reversed(t.express_id) then perform ledger_fail('parcel_reversed'); end if;
  left_amount := ledger_refund_left(t.express_id, t.station_id, waiting);
  if amount > left_amount then perform ledger_fail('refund_too_large', jsonb_build_object('left_amount', left_amount)); end if;
end $$;

-- The caller calculated `limit_amount` from the parcel's frozen terms.
create or replace function ledger_check_payout(t ledger_transfers, m jsonb, amount bigint, waiting boolean) returns void language plpgsql as $$
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

drop function if exists ledger_reversible_top_up(bigint, ledger_station_balance, bigint);

-- The rest of a top-up after its posted reversals.
create or replace function ledger_top_up_left(top_up statements) returns bigint language sql stable as $$
  select top_up.amount + coalesce(sum(s.amount), 0)::bigint from statements s where s.reverses_id = top_up.id and s.seq is not null
$$;

-- The top-up to be reversed, and the amount of its reversal: the whole rest of the top-up, which
-- the wallet must cover. With `part` 1, the amount is at most the money in the wallet. `request` is
-- the request that is being decided; null if there is none.
create or replace function ledger_reversible_part(m jsonb, station_balance ledger_station_balance, request bigint, out top_up statements, out amount bigint) returns record language plpgsql as $$
declare
  statement bigint := (m ->> 'statement_id')::bigint;
  unspent bigint := station_balance.money - station_balance."freeze";
begin
  select * into top_up from statements where id = statement and station_id = station_balance.station_id;
  if not found then perform ledger_fail('not_found'); end if;
  if top_up.type <> 'top_up' or top_up.seq is null then perform ledger_fail('not_reversible'); end if;
  amount := ledger_top_up_left(top_up);
  if amount = 0 then perform ledger_fail('top_up_reversed'); end if;
  if exists (select 1 from statements s where s.reverses_id = statement and s.status = 'pending' and s.id is distinct from request) then
    perform ledger_fail('top_up_reversal_pending');
  end if;
  if coalesce((m ->> 'part')::int, 0) = 1 then amount := least(amount, greatest(unspent, 1)); end if;
  if m ? 'asked_amount' then amount := (m ->> 'asked_amount')::bigint; end if;
  if unspent < amount then perform ledger_fail('top_up_spent', jsonb_build_object('missing_amount', amount - unspent)); end if;
end $$;

-- Stores the rest of a reversed top-up as the platform's claim on the station. Later reversals
-- reduce the claim.
create or replace function ledger_keep_claim(top_up statements, reversed bigint, moment timestamptz) returns void language plpgsql as $$
declare
  rest bigint := ledger_top_up_left(top_up) - reversed;
begin
  if rest > 0 or exists (select 1 from station_claims c where c.statement_id = top_up.id) then
    insert into station_claims (statement_id, station_id, amount, at) values (top_up.id, top_up.station_id, rest, moment)
      on conflict (statement_id) do update set amount = excluded.amount, at = excluded.at;
  end if;
end $$;

create or replace function ledger_set_reversed(statement bigint, moment timestamptz) returns void language plpgsql as $$
begin
  update statements s set status = 'reversed', updated_at = moment, hash = ledger_statement_hash(ledger_statement_text(s), 'reversed', moment) where s.id = statement;
end $$;

create or replace function ledger_top_up_reversal(t ledger_transfers, m jsonb, station_balance ledger_station_balance) returns ledger_draft language plpgsql as $$
declare
  found record;
  line statements;
begin
  select * into found from ledger_reversible_part(m, station_balance, null);
  line := ledger_line(t, jsonb_build_object('description', m ->> 'reason'), t.station_id, 'reversal', -found.amount, 0);
  line.reverses_id := (found.top_up).id;
  perform ledger_keep_claim(found.top_up, found.amount, t.at);
  perform ledger_set_reversed(line.reverses_id, t.at);
  return ledger_posting(t, array[line], '{cash}', array[found.amount]);
end $$;

create or replace function ledger_store_request(t ledger_transfers, line statements) returns ledger_draft language plpgsql as $$
begin
  line.id := nextval('statements_id_seq');
  line.status := 'pending';
  line.updated_at := t.at;
  line.hash := ledger_statement_hash(ledger_statement_text(line), 'pending', t.at);
  insert into statements values (line.*);
  return ledger_no_op(t, line.id);
end $$;

-- Stores the request to reverse a parcel, with the amounts that the reversal would post now. A
-- parcel can have one waiting request.
create or replace function ledger_parcel_reversal_request(t ledger_transfers, m jsonb) returns ledger_draft language plpgsql as $$
declare
  draft ledger_draft;
  line statements;
begin
  perform ledger_check_no_reversal_waits(t.express_id);
  draft := ledger_reversal_draft(t, m);
  foreach line in array draft.lines loop
    if line.station_id = t.station_id then return ledger_store_request(t, line); end if;
  end loop;
  raise exception 'the reversal of parcel % has no row of station %', t.express_id, t.station_id;
end $$;

-- The reversal of a parcel after its approval. It contains the requested row, whose amounts must
-- still be right: the second person approved these amounts.
create or replace function ledger_approved_reversal(t ledger_transfers, asked statements) returns ledger_draft language plpgsql as $$
declare
  draft ledger_draft := ledger_reversal_draft(t, jsonb_build_object('reason', asked.description));
  -- The hash of the transfer reads the statements by id, and the requested row is the oldest.
  lines statements[] := array[asked];
  line statements;
begin
  foreach line in array draft.lines loop
    if line.station_id = asked.station_id then
      if (line.amount, line.pre_amount, line.guarantee_amount, line.post_amount) is distinct from (asked.amount, asked.pre_amount, asked.guarantee_amount, asked.post_amount) then
        perform ledger_fail('parcel_reversal_changed', jsonb_build_object('reversed_amount', line.amount));
      end if;
    else
      lines := lines || line;
    end if;
  end loop;
  perform ledger_set_parcel_reversed(t);
  draft.lines := lines;
  return draft;
end $$;

-- Stores a request that waits for a second person and posts nothing: a withdrawal, an adjustment of
-- either sign, a top-up or its reversal, a refund, a payout, or the reversal of a parcel. A request
-- is refused now if its approval would be refused now.
create or replace function ledger_request(t ledger_transfers, m jsonb, station_balance ledger_station_balance) returns ledger_draft language plpgsql as $$
declare
  amount bigint;
  found record;
  line statements;
begin
  if t.kind = 'reversal' and m ? 'statement_id' then
    select * into found from ledger_reversible_part(m, station_balance, null);
    amount := -found.amount;
    m := jsonb_build_object('description', m ->> 'reason') || m;
  elsif t.kind = 'reversal' then
    return ledger_parcel_reversal_request(t, m);
  else
    amount := ledger_amount(m, t.kind = 'adjustment');
  end if;
  if t.kind = 'withdrawal' then
    if ledger_available(station_balance) < amount then return ledger_missing(t, amount - ledger_available(station_balance)); end if;
    amount := -amount;
  elsif t.kind = 'refund' then
    perform ledger_check_refund(t, amount, true);
  elsif t.kind = 'payout' then
    perform ledger_check_payout(t, m, amount, true);
  end if;
  line := ledger_line(t, m, t.station_id, t.kind, amount, 0);
  if t.kind = 'reversal' then line.reverses_id := (found.top_up).id; end if;
  return ledger_store_request(t, line);
end $$;

-- The request that a user decides; the user who made it cannot decide it.
create or replace function ledger_request_of(t ledger_transfers, statement bigint) returns statements language plpgsql as $$
declare
  line statements;
begin
  select * into line from statements where id = statement;
  if not found then perform ledger_fail('not_found'); end if;
  if line.status <> 'pending' then perform ledger_fail('statement_not_pending'); end if;
  if line.account_id is not distinct from t.account_id then perform ledger_fail('second_person_required'); end if;
  return line;
end $$;

-- `alone` 1: nobody else could decide in time, so the requesting user may. The caller has checked
-- this.
create or replace function ledger_approvable(t ledger_transfers, m jsonb) returns statements language plpgsql as $$
begin
  if coalesce((m ->> 'alone')::int, 0) = 1 then t.account_id := 0; end if;
  return ledger_request_of(t, (m ->> 'statement_id')::bigint);
end $$;

create or replace function ledger_approve(t ledger_transfers, m jsonb, station_balance ledger_station_balance) returns ledger_draft language plpgsql as $$
declare
  line statements := ledger_approvable(t, m);
  found record;
begin
  t.kind := line.type;
  t.express_id := line.express_id;
  if line.type = 'withdrawal' and ledger_available(station_balance) < -line.amount then return ledger_missing(t, -line.amount - ledger_available(station_balance)); end if;
  if line.type = 'refund' then perform ledger_check_refund(t, line.amount, false); end if;
  if line.type = 'payout' then perform ledger_check_payout(t, m, line.amount, false); end if;
  line.decided_by := t.account_id;
  if line.type = 'reversal' and line.reverses_id is null then return ledger_approved_reversal(t, line); end if;
  if line.type = 'reversal' then
    select * into found from ledger_reversible_part(jsonb_build_object('statement_id', line.reverses_id, 'asked_amount', -line.amount), station_balance, line.id);
    perform ledger_keep_claim(found.top_up, found.amount, t.at);
    perform ledger_set_reversed(line.reverses_id, t.at);
  end if;
  return ledger_posting(t, array[line], array[case when line.type in ('withdrawal', 'top_up', 'reversal') then 'cash' else 'revenue' end]::ledger_account[], array[-line.amount]);
end $$;

-- The request that its own user withdraws; other users get not_found.
create or replace function ledger_own_request_of(t ledger_transfers, statement bigint) returns statements language plpgsql as $$
declare
  line statements;
begin
  select * into line from statements where id = statement;
  if not found or line.account_id is distinct from t.account_id then perform ledger_fail('not_found'); end if;
  if line.status <> 'pending' then perform ledger_fail('statement_not_pending'); end if;
  return line;
end $$;

-- `retract` 1: the requesting user withdraws the request. It then has the status declined, decided
-- by that user.
create or replace function ledger_decline(t ledger_transfers, m jsonb) returns ledger_draft language plpgsql as $$
declare
  line statements;
begin
  if coalesce((m ->> 'retract')::int, 0) = 1 then line := ledger_own_request_of(t, (m ->> 'statement_id')::bigint);
  else line := ledger_request_of(t, (m ->> 'statement_id')::bigint); end if;
  line.decided_by := t.account_id;
  line.decision_reason := coalesce(m ->> 'reason', '');
  update statements set status = 'declined', updated_at = t.at, decided_by = line.decided_by, decision_reason = line.decision_reason,
    hash = ledger_statement_hash(ledger_statement_text(line), 'declined', t.at) where id = line.id;
  return ledger_no_op(t, line.id);
end $$;
