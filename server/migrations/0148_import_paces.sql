-- Precondition: 0131.
-- Until when the calls of a carrier account are taken that the orders of imports make, in all workers. `carrier_slots` is the plan of these orders; a call that
-- is late, after a restart for one, takes its moment here.

create table import_paces (
  merchant_id bigint primary key references merchants (id),
  until timestamptz not null
);
