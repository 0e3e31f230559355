-- Precondition: 0004.
-- What the Workplace shows by day, kept as signed steps like express_counts: exact at any moment, short to read whatever the number of parcels.

-- n parcels of a day: `ordered` are those with a waybill by the day they were made, the others those that came into a state that day, each parcel once a day.
create table express_days (
  day date not null,
  station_id bigint not null,
  user_id bigint not null,
  what text not null check (what in ('ordered', 'draft', 'on_hold', 'failed', 'exception', 'awaiting_pickup', 'in_transit', 'signed_for')),
  n bigint not null,
  -- A step that has not been added up yet.
  fresh boolean not null default true
);
create index express_days_what on express_days (what, day, station_id, user_id) include (n);
create index express_days_fresh on express_days (day) where fresh;

-- The lists these numbers open.
create index express_moves_arrivals on express_moves (to_code, at);
create index expresses_to_print on expresses (station_id, user_id) where state_code = 100 and print_count = 0;
create index expresses_unmoved on expresses (station_id, (coalesce(last_event_at, ordered_at, created_at))) where state_code in (100, 200, 210, 220, 400, 410);

-- Money by business day, from the entries. By whose parcel or wallet it was (0: nobody's), and for shares by who earned them (else 0). Fen:
--   revenue, carrier_cost   sums of the entries on these accounts, with the ledger's sign: revenue rises above zero, cost falls below it
--   profit                  what `earner_id` earned by parcels of `station_id`; n are its billing lines
--   spent                   what the parcels of the station cost it: charges and differences, less refunds and reversals
--   reweigh_up, _down, _even  differences of re-weighs by what the station pays more, less, or neither; n are its billing lines
create table ledger_days (
  day date not null,
  station_id bigint not null,
  earner_id bigint not null,
  what text not null check (what in ('revenue', 'carrier_cost', 'profit', 'spent', 'reweigh_up', 'reweigh_down', 'reweigh_even')),
  n bigint not null,
  amount bigint not null,
  fresh boolean not null default true
);
create index ledger_days_what on ledger_days (what, day, station_id) include (earner_id, n, amount);
create index ledger_days_station on ledger_days (station_id, what, day) include (amount);
create index ledger_days_fresh on ledger_days (day) where fresh;
