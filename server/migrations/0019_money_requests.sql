-- Precondition: 0003.
-- Top-ups, refunds and payouts may wait for a second person; a top-up can be reversed; payouts of a parcel have an upper limit (docs/ledger.md, Limits).

-- Of a reversal of a top-up: the top-up's row. At most one that waits or was posted.
alter table statements add column reverses_id bigint references statements (id);
create unique index statements_reverses on statements (reverses_id) where reverses_id is not null and status <> 'declined';
-- What one person posted without a second one, for the limits of a business day.
create index statements_account on statements (account_id, posted_at) include (station_id, type, amount, decided_by) where account_id is not null and type in ('top_up', 'adjustment', 'refund', 'payout');
