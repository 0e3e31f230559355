-- Precondition: 0104.
-- Bounds of one column as domains, as in 0003: every posting changes a station's money, and PostgreSQL parses all checks of a table for every update.
-- The domains get their checks last: a column whose new type has none yet is not rewritten.
-- Checks stay on fixed_freeze, which a generated column reads, and on status, which a trigger reads: PostgreSQL refuses to change their types.
create domain flag as smallint;
create domain discount_rate as integer;
create domain profit_rate as integer;
create domain fixed_amount as bigint;
create domain limit_amount as bigint;
create domain offer_rule as text;
create domain jsonb_object as jsonb;

alter table stations
  drop constraint stations_allow_print_check,
  drop constraint stations_has_amount_check,
  drop constraint stations_allow_select_check,
  drop constraint stations_enable_profit_check,
  drop constraint stations_disabled_by_office_check,
  drop constraint stations_offer_fallback_check,
  drop constraint stations_discount_check,
  drop constraint stations_northeast_discount_check,
  drop constraint stations_profit_check,
  drop constraint stations_profit_limit_check,
  drop constraint stations_fixed_profit_check,
  drop constraint stations_fixed_profit_limit_check,
  drop constraint stations_low_balance_check,
  drop constraint stations_credit_limit_check,
  drop constraint stations_offer_rule_check,
  drop constraint stations_offer_carriers_check,
  alter column allow_print type flag,
  alter column has_amount type flag,
  alter column allow_select type flag,
  alter column enable_profit type flag,
  alter column disabled_by_office type flag,
  alter column offer_fallback type flag,
  alter column discount type discount_rate,
  alter column northeast_discount type discount_rate,
  alter column profit type profit_rate,
  alter column profit_limit type profit_rate,
  alter column fixed_profit type fixed_amount,
  alter column fixed_profit_limit type fixed_amount,
  alter column low_balance type limit_amount,
  alter column credit_limit type limit_amount,
  alter column offer_rule type offer_rule,
  alter column offer_carriers type jsonb_object;

alter domain flag add check (value in (0, 1));
alter domain discount_rate add check (value between 1 and 10000);
alter domain profit_rate add check (value between 0 and 10000);
alter domain fixed_amount add check (value >= 0);
alter domain limit_amount add check (value between 0 and 100000000000);
alter domain offer_rule add check (value in ('cheapest', 'fastest', 'preferred'));
alter domain jsonb_object add check (jsonb_typeof(value) = 'object');
