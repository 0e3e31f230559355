-- Precondition: 0056.
create index reconciliation_rows_open on reconciliation_rows (reconciliation_id) where decision = 'open' and bucket is not null;
comment on index reconciliation_rows_open is 'Undecided lines of a bill, counted before a month is closed and again under the lock of the closing (domain/ledger/periods.ts).';
