-- Precondition: none.
-- Lanes are kept by station, so that nobody reads from them what one other station sends, and promises are counted on their own day, so that late and lost parcels count
-- (server/sql/express-uses.sql adds up the parcels there are).
create table express_lanes (
  station_id bigint not null,
  -- A product, a sender's city and a receiver's province (express_lane_key).
  lane bigint not null,
  day date not null,
  -- Delivered on the day, and the minutes from order to signature.
  signed bigint not null,
  minutes bigint not null,
  -- Promised for the day, and delivered by the promised time.
  due bigint not null,
  on_time bigint not null,
  -- A step that has not been added up yet.
  fresh boolean not null default true
);
create index express_lanes_of on express_lanes (lane, day, station_id) include (signed, minutes, due, on_time);
comment on index express_lanes_of is 'How a product kept its time on a lane, by station, from the index alone (domain/express/lanes.ts), and the sums that steps are added to (server/sql/express-uses.sql).';
create index express_lanes_fresh on express_lanes (lane) where fresh;
comment on index express_lanes_fresh is 'Steps to be added up (server/sql/express-uses.sql).';
alter table express_lanes set (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 2000);
-- The rule by which a station's product is chosen where nobody chooses one: by its price, its average time on the lane, or a carrier by the receiver's province.
alter table stations
  add column offer_rule text not null default 'cheapest' check (offer_rule in ('cheapest', 'fastest', 'preferred')),
  -- A province's code or `default`, and its carrier.
  add column offer_carriers jsonb not null default '{}' check (jsonb_typeof(offer_carriers) = 'object'),
  -- 1: while the carrier takes no calls, another one's product is chosen.
  add column offer_fallback smallint not null default 0 check (offer_fallback in (0, 1));
-- Why the rule chose the row's product; null: the sheet names it.
alter table import_prices add column choice jsonb;
