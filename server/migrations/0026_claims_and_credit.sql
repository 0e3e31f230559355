-- Precondition: none. The indexes hold few rows: reversals alone.

-- A top-up is reversed in parts, each by a row of its own.
drop index statements_reverses;
create index statements_reverses on statements (reverses_id) where reverses_id is not null;
comment on index statements_reverses is 'The reversals of a top-up (server/sql/ledger-requests.sql, ledger-proof.sql).';
create index statements_reversals on statements (account_id, posted_at) include (station_id, amount, decided_by) where account_id is not null and type = 'reversal' and post_amount is not null;
comment on index statements_reversals is 'What one person reversed of charged parcels without a second one, for the limit of a business day (domain/ledger/one-person.ts).';

-- What a reversal left of a top-up, because the station had spent it: written by the ledger alone.
create table station_claims (
  statement_id bigint primary key references statements (id),
  station_id bigint not null references stations (id),
  amount bigint not null check (amount >= 0),
  at timestamptz not null
);
create index station_claims_open on station_claims (station_id) where amount > 0;
comment on index station_claims_open is 'The open claims on a station (features/stations/rows.ts).';
comment on table station_claims is 'One row for each top-up that was reversed in part: what of it the station still owes, in fen; 0: collected.';

alter table stations add column credit_limit bigint check (credit_limit between 0 and 100000000000);
comment on column stations.credit_limit is 'Fen; how far below zero the available sum of a post-paid station may go by an order. Null: no limit.';
alter type ledger_station_balance add attribute credit_limit bigint;
