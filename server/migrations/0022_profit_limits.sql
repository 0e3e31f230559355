-- Precondition: 0002.
-- How much of a parcel a partner may give itself: profit terms of the stations below it are the office's, up to these limits the partner's too
-- (requirements §10.12.4).

alter table stations
  add column profit_limit integer not null default 0 check (profit_limit between 0 and 10000),
  add column fixed_profit_limit bigint not null default 0 check (fixed_profit_limit >= 0);
