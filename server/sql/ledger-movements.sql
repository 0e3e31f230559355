-- One function for each movement of docs/ledger.md. It makes a draft: the statements and entries
-- that the movement will post.

-- Raises an expected error: a code of contract/src/base/errors.ts with its parameters.
create or replace function ledger_fail(code text, params jsonb default '{}') returns void language plpgsql as
  $$ begin raise exception '%', code using errcode = 'WS001', detail = params::text; end $$;

create or replace function ledger_available(station_balance ledger_station_balance) returns bigint language sql immutable as
  $$ select station_balance.money - station_balance."freeze" - station_balance.fixed_freeze $$;

-- Amount that new orders may use: the available sum, plus the credit limit of a post-paid station.
-- Null means no limit.
create or replace function ledger_spendable(station_balance ledger_station_balance) returns bigint language sql immutable as $$
  select station_balance.money - station_balance."freeze" - station_balance.fixed_freeze + case station_balance.has_amount when 1 then 0 else station_balance.credit_limit end
$$;

create or replace function ledger_posting(t ledger_transfers, lines statements[], accounts ledger_account[], amounts bigint[]) returns ledger_draft language plpgsql as
  $$ begin return row(t, lines, accounts, amounts, false, null, null)::ledger_draft; end $$;

-- Keeps the cause of a movement that posts nothing, so that a repeat posts nothing either.
create or replace function ledger_no_op(t ledger_transfers, statement bigint default null) returns ledger_draft language plpgsql as $$
begin
  insert into ledger_no_op_causes values (t.cause, t.content, statement, t.at);
  return row(t, null, null, null, true, statement, null)::ledger_draft;
end $$;

create or replace function ledger_missing(t ledger_transfers, amount bigint) returns ledger_draft language plpgsql as
  $$ begin return row(t, null, null, null, false, null, amount)::ledger_draft; end $$;

create or replace function ledger_price_of(given jsonb) returns ledger_price language plpgsql as $$
declare
  price ledger_price := jsonb_populate_record(null::ledger_price, given);
begin
  if price.pre_amount - price.discount_amount = price.post_amount and price.guarantee_amount >= 0 and price.post_amount >= 0 and price.discount is not null then
    return price;
  end if;
  raise exception 'not a price: %', given;
end $$;

create or replace function ledger_priced(line statements, price ledger_price) returns statements language plpgsql as $$
begin
  line.pre_amount := price.pre_amount;
  line.discount := price.discount;
  line.discount_amount := price.discount_amount;
  line.guarantee_amount := price.guarantee_amount;
  line.post_amount := price.post_amount;
  return line;
end $$;

-- The difference between `price` and `before`, with the rate of `price`.
create or replace function ledger_price_step(price ledger_price, before ledger_price) returns ledger_price language sql stable as $$
  select (price.pre_amount - before.pre_amount, price.discount, price.discount_amount - before.discount_amount,
    price.guarantee_amount - before.guarantee_amount, price.post_amount - before.post_amount)::ledger_price
$$;

-- Begins a statement; ledger_finalized_statement completes it.
create or replace function ledger_line(t ledger_transfers, m jsonb, station bigint, type text, amount bigint, freeze_amount bigint) returns statements language plpgsql as $$
declare
  line statements;
begin
  line.station_id := station;
  line.type := type;
  line.status := 'posted';
  line.express_id := t.express_id;
  line.delivery_id := m ->> 'delivery_id';
  line.amount := amount;
  line.freeze_amount := freeze_amount;
  line.profit := 0;
  line.description := coalesce(m ->> 'description', '');
  line.account_id := t.account_id;
  line.decision_reason := '';
  line.created_at := t.at;
  return line;
end $$;

create or replace function ledger_hold_price(held ledger_holds) returns ledger_price language sql immutable as
  $$ select (held.pre_amount, held.discount, held.discount_amount, held.guarantee_amount, held.amount)::ledger_price $$;

-- Adds the waybill and order number of the parcel if the movement has none.
create or replace function ledger_named(m jsonb, held ledger_holds) returns jsonb language sql stable as
  $$ select jsonb_build_object('delivery_id', held.delivery_id, 'description', held.order_id) || jsonb_strip_nulls(m) $$;

create or replace function ledger_sum(lines statements[]) returns bigint language plpgsql stable as $$
declare
  line statements;
  total bigint := 0;
begin
  foreach line in array lines loop total := total + line.amount; end loop;
  return total;
end $$;

create or replace function ledger_amount(m jsonb, negative boolean default false) returns bigint language plpgsql as $$
declare
  amount bigint := (m ->> 'amount')::bigint;
begin
  if amount > 0 or (negative and amount < 0) then return amount; end if;
  raise exception 'not an amount to move: %', m;
end $$;

create or replace function ledger_top_up(t ledger_transfers, m jsonb) returns ledger_draft language plpgsql as $$
begin
  return ledger_posting(t, array[ledger_line(t, m, t.station_id, 'top_up', ledger_amount(m), 0)], '{cash}', array[-ledger_amount(m)]);
end $$;

create or replace function ledger_adjustment(t ledger_transfers, m jsonb) returns ledger_draft language plpgsql as $$
begin
  return ledger_posting(t, array[ledger_line(t, m, t.station_id, 'adjustment', ledger_amount(m, true), 0)], '{revenue}', array[-ledger_amount(m, true)]);
end $$;

create or replace function ledger_carrier_paid(t ledger_transfers, m jsonb) returns ledger_draft language plpgsql as $$
begin
  return ledger_posting(t, '{}', '{carrier_payable,cash}', array[-ledger_amount(m), ledger_amount(m)]);
end $$;

create or replace function ledger_hold(t ledger_transfers, m jsonb, station_balance ledger_station_balance) returns ledger_draft language plpgsql as $$
declare
  price ledger_price := ledger_price_of(m -> 'price');
  line statements;
begin
  if ledger_spendable(station_balance) < price.post_amount then return ledger_missing(t, price.post_amount - ledger_spendable(station_balance)); end if;
  insert into ledger_holds values (t.express_id, t.attempt, t.station_id, coalesce(m ->> 'order_id', ''), m ->> 'delivery_id', 'open', price.post_amount,
    price.pre_amount, price.discount, price.discount_amount, price.guarantee_amount, station_balance.has_amount, station_balance.fixed_freeze);
  line := ledger_line(t, m, t.station_id, 'hold', 0, price.post_amount);
  line.description := coalesce(m ->> 'description', m ->> 'order_id', '');
  return ledger_posting(t, array[ledger_priced(line, price)], '{}', '{}');
end $$;

create or replace function ledger_change_hold(t ledger_transfers, m jsonb, held ledger_holds, station_balance ledger_station_balance) returns ledger_draft language plpgsql as $$
declare
  price ledger_price := ledger_price_of(m -> 'price');
  step ledger_price := ledger_price_step(price, ledger_hold_price(held));
begin
  if held.status <> 'open' then raise exception 'the hold of parcel % is %', t.express_id, held.status; end if;
  if price = ledger_hold_price(held) then return ledger_no_op(t); end if;
  if ledger_spendable(station_balance) is not null and step.post_amount > greatest(ledger_spendable(station_balance), 0) then return ledger_missing(t, step.post_amount - ledger_spendable(station_balance)); end if;
  update ledger_holds set amount = price.post_amount, pre_amount = price.pre_amount, discount = price.discount, discount_amount = price.discount_amount,
    guarantee_amount = price.guarantee_amount where express_id = t.express_id and attempt = t.attempt;
  return ledger_posting(t, array[ledger_priced(ledger_line(t, ledger_named(m, held), t.station_id, 'hold', 0, step.post_amount), step)], '{}', '{}');
end $$;

create or replace function ledger_release(t ledger_transfers, m jsonb, held ledger_holds) returns ledger_draft language plpgsql as $$
begin
  if held.status <> 'open' then raise exception 'the hold of parcel % is %', t.express_id, held.status; end if;
  update ledger_holds set status = 'released' where express_id = t.express_id and attempt = t.attempt;
  return ledger_posting(t, array[ledger_priced(ledger_line(t, ledger_named(m, held), t.station_id, 'release', 0, -held.amount), ledger_hold_price(held))], '{}', '{}');
end $$;

create or replace function ledger_share_line(t ledger_transfers, m jsonb, station bigint, amount bigint) returns statements language plpgsql as $$
declare
  line statements := ledger_line(t, m, station, 'profit', amount, 0);
begin
  line.profit := amount;
  return line;
end $$;

-- Statements of the parent stations for shares given as [{station_id, amount}]. Each has the
-- difference to the earlier share; a share that did not change has no statement.
create or replace function ledger_share_lines(t ledger_transfers, m jsonb, shares jsonb, price ledger_price) returns statements[] language plpgsql as $$
declare
  lines statements[] := '{}';
  past jsonb := '{}';
  seen bigint[] := '{}';
  total bigint := 0;
  share record;
begin
  if t.kind <> 'charge' then
    select coalesce(jsonb_object_agg(had.station_id, had.amount), '{}') into past from
      (select s.station_id, sum(s.amount) as amount from statements s where s.express_id = t.express_id and s.type = 'profit' group by 1 having sum(s.amount) <> 0) had;
    if past <> (select coalesce(jsonb_object_agg(b.station_id, b.amount) filter (where b.amount <> 0), '{}')
        from jsonb_to_recordset(m -> 'shares_before') as b (station_id bigint, amount bigint)) then
      raise exception 'the shares of parcel % were %, not %', t.express_id, past, m -> 'shares_before';
    end if;
  end if;
  for share in select s.station_id, s.amount from jsonb_to_recordset(shares) as s (station_id bigint, amount bigint) loop
    seen := seen || share.station_id;
    total := total + share.amount;
    if share.amount >= 0 and share.station_id <> t.station_id and share.station_id <> all (trim_array(seen, 1)) and total <= price.post_amount then
      if share.amount <> coalesce((past ->> share.station_id::text)::bigint, 0) then
        lines := lines || ledger_share_line(t, m, share.station_id, share.amount - coalesce((past ->> share.station_id::text)::bigint, 0));
      end if;
    else
      raise exception 'not shares of %: %', price.post_amount, shares;
    end if;
  end loop;
  for share in select key::bigint as station_id, value::bigint as amount from jsonb_each_text(past) where key::bigint <> all (seen) loop
    lines := lines || ledger_share_line(t, m, share.station_id, -share.amount);
  end loop;
  return lines;
end $$;

-- A released hold stays released; the charge then takes the amount from the wallet.
create or replace function ledger_charge(t ledger_transfers, m jsonb, held ledger_holds) returns ledger_draft language plpgsql as $$
declare
  price ledger_price := ledger_price_of(m -> 'price');
  shares statements[];
begin
  if held.status = 'charged' then raise exception 'the hold of parcel % is charged', t.express_id; end if;
  m := ledger_named(m, held);
  shares := ledger_share_lines(t, m, m -> 'shares', price);
  if held.status = 'open' then
    update ledger_holds set status = 'charged' where express_id = t.express_id and attempt = t.attempt;
  end if;
  return ledger_posting(t,
    ledger_priced(ledger_line(t, m, t.station_id, 'charge', -price.post_amount, case held.status when 'open' then -held.amount else 0 end), price) || shares,
    '{revenue}', array[price.post_amount - ledger_sum(shares)]);
end $$;

-- Sum of all charges of a parcel so far.
create or replace function ledger_charged(express bigint, station bigint) returns ledger_price language sql stable as $$
  select (sum(pre_amount), (array_agg(discount order by seq desc))[1], sum(discount_amount), sum(guarantee_amount), sum(post_amount))::ledger_price
  from statements where express_id = express and station_id = station and type in ('charge', 'reweigh', 'surcharge')
$$;

-- The statement of a parcel's first charge; fails if there is none.
create or replace function ledger_charge_of(express bigint) returns statements language plpgsql as $$
declare
  line statements;
begin
  select * into line from statements where express_id = express and type = 'charge';
  if not found then perform ledger_fail('parcel_not_charged'); end if;
  return line;
end $$;

create or replace function ledger_reversed(express bigint) returns boolean language sql stable as
  $$ select exists (select 1 from ledger_transfers where express_id = express and kind = 'reversal') $$;

-- A station pays the parcel's price less its refunds, but never less than zero. If the price falls
-- after a refund, only the amount that is still paid is given back (docs/ledger.md, Corrections).
-- Calculated from the sums, so the order of the facts does not matter.
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
  -- The platform alone bears later costs of a reversed parcel.
  if ledger_reversed(t.express_id) then return ledger_no_op(t); end if;
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
  if cardinality(lines) = 0 then return ledger_no_op(t); end if;
  return ledger_posting(t, lines, '{revenue}', array[due - earned]);
end $$;

-- Returns all charges of the parcel, less refunds, and takes back all its shares and revenue.
create or replace function ledger_reversal_draft(t ledger_transfers, m jsonb) returns ledger_draft language plpgsql as $$
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
  return ledger_posting(t, lines, '{revenue}', array[-ledger_sum(lines)]);
end $$;

create or replace function ledger_set_parcel_reversed(t ledger_transfers) returns void language plpgsql as $$
begin
  update statements s set status = 'reversed', updated_at = t.at, hash = ledger_statement_hash(ledger_statement_text(s), 'reversed', t.at)
    where s.express_id = t.express_id and s.type in ('charge', 'reweigh', 'surcharge', 'refund', 'profit') and s.seq is not null;
end $$;

create or replace function ledger_check_no_reversal_waits(express bigint) returns void language plpgsql as $$
begin
  if exists (select 1 from statements s where s.express_id = express and s.type = 'reversal' and s.status = 'pending') then
    perform ledger_fail('parcel_reversal_pending');
  end if;
end $$;

create or replace function ledger_reversal(t ledger_transfers, m jsonb) returns ledger_draft language plpgsql as $$
declare
  draft ledger_draft := ledger_reversal_draft(t, m);
begin
  perform ledger_check_no_reversal_waits(t.express_id);
  perform ledger_set_parcel_reversed(t);
  return draft;
end $$;

-- Posts the difference between the carrier's present fee and the cost recorded so far.
create or replace function ledger_carrier_fee(t ledger_transfers, m jsonb) returns ledger_draft language plpgsql as $$
declare
  step bigint;
begin
  select (m ->> 'amount_total')::bigint + coalesce(sum(e.amount), 0) into strict step
    from ledger_transfers f join ledger_entries e on e.transfer_id = f.id and e.account = 'carrier_cost' where f.express_id = t.express_id and f.kind = 'carrier_fee';
  if step = 0 then return ledger_no_op(t); end if;
  return ledger_posting(t, '{}', '{carrier_cost,carrier_payable}', array[-step, step]);
end $$;
