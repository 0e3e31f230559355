-- Precondition: 0005. A carrier's report beyond the limits waits for the office (docs/decisions/0113).
-- The fact that the office decides about, or disputed; null: none.
alter table expresses add column held_no integer;
alter table expresses add column held_status text check (held_status in ('open', 'disputed'));
alter table expresses drop constraint expresses_exception_check;
alter table expresses add constraint expresses_exception_check check (exception in ('refused', 'stopped', 'unreachable', 'returning', 'unmoved', 'charge'));
alter table express_facts drop constraint express_facts_source_check;
alter table express_facts add constraint express_facts_source_check
  check (source in ('order', 'station', 'poll', 'push', 'bill', 'estimate', 'edit', 'held', 'accepted', 'disputed'));
