-- The codes of carriers, for the checks of every table that names one; the contract has the same (contract/src/network/provider.ts).
create or replace function is_provider(code text) returns boolean language sql immutable as $$
  select code = any (array[
    'jdl',
    'sf'
  ])
$$;
