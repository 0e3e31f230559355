-- Precondition: none.
-- The codes of carriers are in one place, the function is_provider (server/sql/providers.sql); a new carrier is a line there. The checks before were the same, so that rows need no check.
create function is_provider(code text) returns boolean language sql immutable as $$
  select code in ('jdl', 'sf')
$$;
alter table cargos drop constraint cargos_provider_check, add constraint cargos_provider_check check (is_provider(provider)) not valid;
alter table promises drop constraint promises_provider_check, add constraint promises_provider_check check (is_provider(provider)) not valid;
alter table merchants drop constraint merchants_provider_check, add constraint merchants_provider_check check (is_provider(provider)) not valid;
alter table vouchers drop constraint vouchers_provider_check, add constraint vouchers_provider_check check (is_provider(provider)) not valid;
alter table expresses drop constraint expresses_provider_check, add constraint expresses_provider_check check (is_provider(provider)) not valid;
