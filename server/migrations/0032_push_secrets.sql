-- Precondition: 0016.
-- The secret in the address that a carrier pushes to rests sealed like the other secrets and is looked up by its hash (requirements §10.12.7).
-- Sealing needs the key, which is not in the database: what stands here in plain text is sealed at the next start and then gone.

alter table merchants rename column push_secret to push_secret_plain;
alter table merchants alter column push_secret_plain drop default, alter column push_secret_plain drop not null;
alter table merchants add column push_secret bytea, add column push_secret_hash bytea;
update merchants set push_secret_hash = sha256(convert_to(push_secret_plain, 'UTF8'));
create unique index merchants_push_secret on merchants (push_secret_hash);
-- The demo's copy: it is read where it rests from now on.
update settings set value = value - 'push_secret' where name = 'demo';
