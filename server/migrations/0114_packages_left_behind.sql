-- Precondition: 0094.
-- A parcel that the courier took without all of its packages is an exception.
select set_config('waystation.scope', 'all', true);
alter table expresses drop constraint expresses_exception_check;
alter table expresses add constraint expresses_exception_check check (exception in ('refused', 'stopped', 'unreachable', 'returning', 'unmoved', 'charge', 'missed', 'left_behind')) not valid;
select set_config('waystation.scope', '', true);
