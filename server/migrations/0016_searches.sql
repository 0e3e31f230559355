-- Precondition: 0001.
-- Whole phones that an account looked for outside its own station, by hour; the digest is keyed with the product's secret, so that the table names nobody.
create table phone_searches (
  account_id bigint not null references accounts (id),
  hour timestamptz not null,
  digest text not null,
  primary key (account_id, hour, digest)
);
