-- The push secret of a carrier account that was replaced, by its hash, and until when pushes may still name it (domain/merchant-secrets).
alter table merchants add column previous_push_hash bytea,
  add column previous_push_until timestamptz,
  add constraint merchants_previous_push check ((previous_push_hash is null) = (previous_push_until is null));
