-- Precondition: none.
-- Scan to label: a label that was printed by a scan is scanned back, package by package, by who printed it (docs/decisions/0146).
alter table prints
  -- Printed by a scan, so that its label is scanned back.
  add column to_verify boolean not null default false,
  -- Positions of the packages whose labels were scanned back, and when the last one was.
  add column verified_packages integer[] not null default '{}',
  add column verified_at timestamptz,
  add constraint prints_verified check (verified_at is null or to_verify);
