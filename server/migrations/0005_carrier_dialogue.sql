-- Precondition: 0004.
-- Waybill numbers fetched before they are needed, for carriers that answer a repeated order with an error; a carrier's own reason of a cancel.

create table carrier_numbers (
  merchant_id bigint not null references merchants (id),
  number text not null,
  fetched_at timestamptz not null,
  primary key (merchant_id, number)
);
create index carrier_numbers_age on carrier_numbers (merchant_id, fetched_at, number);

alter table express_messages add column cancel_reason text not null default '';

-- Arrived parcels whose weight and fee are asked for once more, since carriers correct them in the days after.
create index expresses_arrived on expresses (signed_at) where state_code in (300, 420);
