-- Precondition: 0004.
-- Changes of a parcel that the carrier has already: asked for, then applied or given up by the carrier's answer.

create table express_edits (
  id bigint generated always as identity primary key,
  express_id bigint not null references expresses (id),
  station_id bigint not null,
  account_id bigint not null references accounts (id),
  -- done: applied · refused: the carrier said no, the parcel is as before · moot: cancelled meanwhile · unclear: a repeat was refused, someone must look.
  status text not null default 'pending' check (status in ('pending', 'done', 'refused', 'moot', 'unclear')),
  -- The exact bytes of the modify call: what is sent again while its outcome is unknown.
  request text not null,
  changes jsonb not null,
  -- The terms the changed parcel is priced by, and where its template stands: the frozen ones, another promise's template among them.
  terms jsonb not null,
  voucher_id bigint not null references vouchers (id),
  voucher_no integer not null,
  tries integer not null default 0,
  -- The carrier's words where it refused.
  words text not null default '',
  created_at timestamptz not null default now(),
  settled_at timestamptz
);
create unique index express_edits_pending on express_edits (express_id) where status = 'pending';
create index express_edits_express on express_edits (express_id, id);

-- 1: a change waits for the carrier's answer.
alter table expresses add column modifying smallint not null default 0 check (modifying in (0, 1));
