-- Precondition: none.
-- Every order whose outcome at the carrier was ever unknown, one row an attempt, and why it is certain now (docs/decisions/0153). The office's alone.
-- No foreign keys: they would keep all writes of parcels, stations and accounts waiting while the rows below are read; rows of these are never deleted.
select set_config('waystation.scope', 'all', true);
create table order_outcomes (
  id bigint generated always as identity primary key,
  express_id bigint not null,
  attempt integer not null,
  station_id bigint not null,
  provider text not null,
  since timestamptz not null,
  cause text not null check (cause in ('no_answer', 'not_sent', 'gateway', 'interrupted', 'stored_without_number', 'two_waybills', 'waybill_taken')),
  -- 1: a call was perhaps processed, so that the carrier may have the order; 0: none was sent, or the gateway turned them away.
  maybe_stored smallint not null check (maybe_stored in (0, 1)),
  -- Moments of calls that were counted and of which no answer was stored when the next one began, the first twenty.
  lost_at timestamptz[] not null default '{}',
  settled_at timestamptz,
  certainty text check (certainty in ('repeat', 'search', 'trace', 'details', 'first_accepted', 'first_refused', 'never_sent', 'refused', 'decided_stored', 'decided_not_stored', 'earlier')),
  -- The waybill under which it was settled.
  delivery_id text,
  -- The call whose answer settled it.
  call_id bigint,
  -- Who decided it.
  account_id bigint,
  is_open smallint not null generated always as (case when settled_at is null then 1 else 0 end) stored,
  unique (express_id, attempt),
  check ((settled_at is null) = (certainty is null))
);
create index order_outcomes_listed on order_outcomes (is_open, id);
comment on index order_outcomes_listed is 'The list: open ones first, newest first (features/parcels/order-outcomes.ts).';
create index order_outcomes_station on order_outcomes (station_id, is_open, id);
comment on index order_outcomes_station is 'The list of a station (features/parcels/order-outcomes.ts).';
create index order_outcomes_since on order_outcomes (since);
comment on index order_outcomes_since is 'The list of some days (features/parcels/order-outcomes.ts).';

-- Orders that are open now; and settled ones by the calls that are kept, of which the reason was not recorded.
insert into order_outcomes (express_id, attempt, station_id, provider, since, cause, maybe_stored)
  select e.id, e.attempt, e.station_id, e.provider, coalesce(e.order_sought_at, e.first_sent_at, e.created_at),
    case e.state_reason ->> 'code' when 'waybill_conflict' then 'two_waybills' when 'order_stored_without_number' then 'stored_without_number' else 'no_answer' end, 1
  from expresses e where e.state_code = 20 and (e.order_tries > 1 or e.state_reason is not null);
insert into order_outcomes (express_id, attempt, station_id, provider, since, cause, maybe_stored, settled_at, certainty)
  select e.id, e.attempt, e.station_id, e.provider, min(c.at), 'no_answer', 1, coalesce(gone.at, max(c.at)), 'earlier'
  from (select express_id, at from carrier_calls where outcome in ('unknown', 'stored_without_number', 'repeat_refused')
      and operation = 'create' and express_id is not null) c
    join expresses e on e.id = c.express_id and e.state_code not in (0, 10, 20)
    cross join lateral (select max(m.at) as at from express_moves m where m.express_id = e.id and m.to_code = 20) entered
    cross join lateral (select min(m.at) as at from express_moves m where m.express_id = e.id and m.from_code = 20 and m.at >= entered.at) gone
  where c.at >= entered.at and (gone.at is null or c.at <= gone.at)
  group by e.id, gone.at
  on conflict do nothing;
select set_config('waystation.scope', '', true);

-- Last and at once, for it locks the table: the check is for new rows, old ones are null.
alter table carrier_calls
  -- 0: no byte of the call left; 1: a byte may have left; null: not recorded.
  add column sent smallint,
  -- Who called: a job (`send_order:number:attempt`), or a person (`account:number`); empty: not recorded.
  add column called_by text not null default '',
  add constraint carrier_calls_sent check (sent in (0, 1)) not valid;
