-- Precondition: none.
-- A push may name only the waybill of a single package.
create index expresses_packages on expresses using gin (package_ids) where package_ids <> '{}';
comment on index expresses_packages is 'Parcels by the waybills of their packages, of pushes (domain/express/read-pushes.ts, pushed-fees.ts).';
