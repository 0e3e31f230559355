-- Precondition: none.
-- Waybills of the single packages, beside the parcel's own; empty: they share it. And the newest version of the fees that a carrier pushed, with a digest of its content.
alter table expresses
  add column package_ids text[] not null default '{}',
  add column fee_version bigint,
  add column fee_digest text;
