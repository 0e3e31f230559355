-- Parcels, their history and the dialogue with the carriers: who sees them, and what the application may write.

alter table expresses enable row level security;
alter table expresses force row level security;
drop policy if exists expresses_scope on expresses;
create policy expresses_scope on expresses using ((select scope_all()) or (station_id = any ((select scope_stations())::bigint[])
  and ((select scope_account()) is null or user_id = (select scope_account()))));

alter table express_counts enable row level security;
alter table express_counts force row level security;
drop policy if exists express_counts_scope on express_counts;
create policy express_counts_scope on express_counts using ((select scope_all()) or (station_id = any ((select scope_stations())::bigint[])
  and ((select scope_account()) is null or user_id = (select scope_account()))));

alter table express_keys enable row level security;
alter table express_keys force row level security;
drop policy if exists express_keys_scope on express_keys;
create policy express_keys_scope on express_keys using ((select scope_all()) or (station_id = any ((select scope_stations())::bigint[])
  and ((select scope_account()) is null or user_id = (select scope_account()))));

alter table express_days enable row level security;
alter table express_days force row level security;
drop policy if exists express_days_scope on express_days;
create policy express_days_scope on express_days using ((select scope_all()) or (station_id = any ((select scope_stations())::bigint[])
  and ((select scope_account()) is null or user_id = (select scope_account()))));

-- Rows that belong to a parcel: a clerk sees them if the clerk may see the parcel.
alter table express_messages enable row level security;
alter table express_messages force row level security;
drop policy if exists express_messages_scope on express_messages;
create policy express_messages_scope on express_messages using ((select scope_all()) or (station_id = any ((select scope_stations())::bigint[])
  and ((select scope_account()) is null or exists (select 1 from expresses e where e.id = express_id))));

alter table express_facts enable row level security;
alter table express_facts force row level security;
drop policy if exists express_facts_scope on express_facts;
create policy express_facts_scope on express_facts using ((select scope_all()) or (station_id = any ((select scope_stations())::bigint[])
  and ((select scope_account()) is null or exists (select 1 from expresses e where e.id = express_id))));

alter table express_moves enable row level security;
alter table express_moves force row level security;
drop policy if exists express_moves_scope on express_moves;
create policy express_moves_scope on express_moves using ((select scope_all()) or (station_id = any ((select scope_stations())::bigint[])
  and ((select scope_account()) is null or exists (select 1 from expresses e where e.id = express_id))));

alter table express_edits enable row level security;
alter table express_edits force row level security;
drop policy if exists express_edits_scope on express_edits;
create policy express_edits_scope on express_edits using ((select scope_all()) or (station_id = any ((select scope_stations())::bigint[])
  and ((select scope_account()) is null or exists (select 1 from expresses e where e.id = express_id))));

alter table prints enable row level security;
alter table prints force row level security;
drop policy if exists prints_scope on prints;
create policy prints_scope on prints using ((select scope_all()) or (station_id = any ((select scope_stations())::bigint[])
  and ((select scope_account()) is null or exists (select 1 from expresses e where e.id = express_id))));

-- The office alone sees the calls to carriers.
alter table carrier_calls enable row level security;
alter table carrier_calls force row level security;
drop policy if exists carrier_calls_scope on carrier_calls;
create policy carrier_calls_scope on carrier_calls using ((select scope_all()));

alter table carrier_pushes enable row level security;
alter table carrier_pushes force row level security;
drop policy if exists carrier_pushes_scope on carrier_pushes;
create policy carrier_pushes_scope on carrier_pushes using ((select scope_all()));

alter table carrier_numbers enable row level security;
alter table carrier_numbers force row level security;
drop policy if exists carrier_numbers_scope on carrier_numbers;
create policy carrier_numbers_scope on carrier_numbers using ((select scope_all()));

alter table carrier_hints enable row level security;
alter table carrier_hints force row level security;
drop policy if exists carrier_hints_scope on carrier_hints;
create policy carrier_hints_scope on carrier_hints using ((select scope_all()));

alter table carrier_pace enable row level security;
alter table carrier_pace force row level security;
drop policy if exists carrier_pace_scope on carrier_pace;
create policy carrier_pace_scope on carrier_pace using ((select scope_all()));

alter table order_outcomes enable row level security;
alter table order_outcomes force row level security;
drop policy if exists order_outcomes_scope on order_outcomes;
create policy order_outcomes_scope on order_outcomes using ((select scope_all()));

alter table alerts enable row level security;
alter table alerts force row level security;
drop policy if exists alerts_scope on alerts;
create policy alerts_scope on alerts using ((select scope_all()));

create or replace trigger express_moves_append_only before update or delete or truncate on express_moves execute function refuse_change();
create or replace trigger express_messages_append_only before delete or truncate on express_messages execute function refuse_change();
create or replace trigger express_facts_append_only before delete or truncate on express_facts execute function refuse_change();

create or replace trigger express_messages_guard before update on express_messages for each row execute function refuse_change_but_erasure();
create or replace trigger express_facts_guard before update on express_facts for each row execute function refuse_change_but_erasure();

revoke all on expresses, express_edits, alerts, carrier_pushes, carrier_pace, prints from {{app_role}};
grant select, insert, update on expresses, express_edits, alerts, carrier_pushes, carrier_pace, prints to {{app_role}};
-- Old pushes and closed alerts are removed (retention.sql).
grant delete on alerts, carrier_pushes to {{app_role}};
revoke all on express_keys, express_counts, express_days from {{app_role}};
grant select, insert, delete on express_keys to {{app_role}};
-- Triggers write the steps, and express_roll_up alone adds them up. The application role may not
-- delete steps: an older version would add them up without the sums of stations.
grant select, insert on express_counts, express_days to {{app_role}};
revoke all on express_messages, express_facts, express_moves from {{app_role}};
grant select, insert on express_messages, express_facts, express_moves to {{app_role}};
revoke all on order_outcomes from {{app_role}};
grant select, insert, update on order_outcomes to {{app_role}};
revoke all on carrier_calls from {{app_role}};
grant select, insert, delete on carrier_calls to {{app_role}};
-- A transaction takes a number with `select … for update` and deletes its row.
revoke all on carrier_numbers, carrier_hints from {{app_role}};
grant select, insert, update, delete on carrier_numbers, carrier_hints to {{app_role}};

grant usage, update on sequence express_order_numbers, expresses_id_seq to {{app_role}};
grant usage on sequence print_batches to {{app_role}};

-- Amount that the station must top up before a parcel on hold is released, and number of parcels
-- released before it. It reads the whole queue up to the parcel, of which a clerk sees only a part.
-- Null if more than 10,000 parcels are in that queue.
create or replace function on_hold_needs(station bigint, since timestamptz, parcel bigint) returns jsonb language plpgsql stable security definer
  set search_path = public, pg_temp as $$
declare
  scope text := current_setting('waystation.scope', true);
  needs jsonb;
begin
  perform set_config('waystation.scope', 'all', true);
  select case when q.n <= 10000 then jsonb_build_object('missing_amount', greatest(0, q.amount - s.available - case s.has_amount when 1 then 0 else s.credit_limit end), 'ahead', greatest(q.n - 1, 0)) end into needs
  from stations s, (select coalesce(sum(post_amount), 0) as amount, count(*) as n from (
      select e.post_amount from expresses e where e.station_id = station and e.state_code = 10 and (e.created_at, e.id) <= (since, parcel)
      order by e.created_at, e.id limit 10001) waiting) q
  where s.id = station and (s.has_amount = 1 or s.credit_limit is not null);
  perform set_config('waystation.scope', coalesce(scope, ''), true);
  return needs;
end $$;
