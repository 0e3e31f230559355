-- Who of the office approved a station's request for a top-up: above the limits of one person it takes two.
create table request_approvals (
  statement_id bigint not null references statements (id),
  account_id bigint not null references accounts (id),
  at timestamptz not null,
  -- Fen of the request.
  amount bigint not null check (amount > 0),
  -- 1: posted by this approval alone, so it counts toward what this person may top up in a day.
  alone smallint not null check (alone in (0, 1)),
  primary key (statement_id, account_id)
);
create index request_approvals_account on request_approvals (account_id, at);
comment on index request_approvals_account is 'What one person approved alone today (domain/ledger/one-person.ts).';
