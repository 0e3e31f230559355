-- Precondition: 0002.
-- The secret in the address that a carrier pushes to rests sealed like the other secrets and is looked up by its hash (requirements §10.12.7).

alter table merchants add column push_secret bytea, add column push_secret_hash bytea;
create unique index merchants_push_secret on merchants (push_secret_hash);
