-- Precondition: none.
-- The secret keys that this installation has had, by fingerprint, the present one last; no key is in the database (decision 140).
create table secret_keys (
  id bigint generated always as identity primary key,
  fingerprint text not null,
  began_at timestamptz not null,
  -- The key of the hashes of recovery codes under an earlier secret key, encrypted under the present one; null: it is the present one.
  recovery_key bytea
);
create unique index secret_keys_fingerprint on secret_keys (fingerprint);
comment on index secret_keys_fingerprint is 'Unique: a key comes into force once (platform/secrets/secret-keys.ts).';
