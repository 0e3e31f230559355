-- Precondition: 0002.
-- A carrier account that fails too many of its last calls is down until it answers again.

alter table merchants add column down_since timestamptz;
