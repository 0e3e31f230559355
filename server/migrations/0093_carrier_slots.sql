-- Precondition: 0092.
-- Until when calls to a carrier account are taken by the orders of imports, so that these stay below the carrier's rate, however many workers there are.

create table carrier_slots (
  merchant_id bigint primary key references merchants (id),
  until timestamptz not null
);
