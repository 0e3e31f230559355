-- Precondition: 0013.
-- Readings of a bill that were begun and not ended by an answer: a file whose reading ends its process twice is not read a third time.
alter table reconciliations add column read_tries integer not null default 0;
-- The sum that the bill itself states in its total row, fen; null where it states none.
alter table reconciliations add column stated_amount bigint;
