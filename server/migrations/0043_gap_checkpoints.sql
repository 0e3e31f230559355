-- Precondition: 0036.
-- Accepting a gap gives up the checkpoints of its own chains alone: another station whose checkpoint does not hold is still found.

create or replace function ledger_accept_gap(first_id bigint, second_id bigint, why text, dropped jsonb, moment timestamptz) returns bigint language plpgsql security definer
  set search_path = public, pg_temp set jit = off as $$
declare
  scope text := current_setting('waystation.scope', true);
  gap bigint;
begin
  perform set_config('waystation.scope', 'all', true);
  delete from ledger_checkpoints c where c.station_id in (select p.stations[1] from checkpoint_proof() p)
    and c.station_id in (select (x ->> 1)::bigint from jsonb_array_elements(dropped) x);
  delete from ledger_head_marks m using jsonb_array_elements(dropped) x where m.chain = x ->> 0 and m.station_id = (x ->> 1)::bigint;
  insert into ledger_gaps (at, first_account_id, second_account_id, reason, chains) values (moment, first_id, second_id, why, dropped) returning id into gap;
  perform set_config('waystation.scope', coalesce(scope, ''), true);
  return gap;
end $$;
