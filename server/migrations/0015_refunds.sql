-- Precondition: 0003_ledger_movements.
-- What a parcel costs its station is its price less what was refunded of it, and never below nothing: a price that falls after a refund gives back no
-- more than is still paid (docs/ledger.md, Corrections). Judged by the sums and not by the steps, so that the order of facts does not matter.

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
  select coalesce(sum(s.amount), 0) into refunded from statements s where s.express_id = t.express_id and s.station_id = charge.station_id and s.type = 'refund';
  due := greatest(price.post_amount - refunded, 0) - greatest(charged.post_amount - refunded, 0);
  if (step.pre_amount, step.discount_amount, step.guarantee_amount) <> (0, 0, 0) then
    lines := ledger_priced(ledger_line(t, m, t.station_id, t.kind, -due, 0), step) || lines;
  end if;
  if cardinality(lines) = 0 then return ledger_quiet(t); end if;
  return ledger_posting(t, lines, '{revenue}', array[due - earned]);
end $$;
