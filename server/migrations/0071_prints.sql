-- Precondition: 0070.
-- What became of a print: by which batch, on which printer, where, and with which result.

alter table prints
  -- Labels that were printed together, in their order by id; null for a single one.
  add column batch_id bigint,
  -- `pdf`: handed to the browser; `component`: the carrier's local print component; `zpl`: sent to the printer as it is.
  add column driver text not null default 'pdf' check (driver in ('pdf', 'component', 'zpl')),
  -- The printer's name, as the workstation knows it.
  add column printer text not null default '',
  -- The station of the person who printed; null for the office.
  add column at_station_id bigint references stations (id),
  -- Why it failed.
  add column note text not null default '',
  add column finished_at timestamptz;
create sequence print_batches;

create index prints_created on prints (created_at desc, id desc);
comment on index prints_created is 'All prints, newest first (features/prints/prints.ts).';
create index prints_station on prints (station_id, created_at desc, id desc);
comment on index prints_station is 'The prints of a station, newest first (features/prints/prints.ts).';
create index prints_user on prints (user_id, created_at desc, id desc);
comment on index prints_user is 'The prints of a person, newest first (features/prints/prints.ts).';
create index prints_waybill on prints (delivery_id, created_at);
comment on index prints_waybill is 'The prints of waybills: the list''s filter, the limit of reprints, and who else printed one (features/prints, features/parcels/labels.ts).';
create index prints_batch on prints (batch_id) where batch_id is not null;
comment on index prints_batch is 'The labels of a batch (features/prints/prints.ts).';
