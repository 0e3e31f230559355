import { sql } from '#platform/db/db.ts';

/**
 * SQL that is true for an account `a` that must log in with a second factor. The setting
 * `second_factor_for` decides; if its value is unknown, every account must.
 */
export const mustHaveSecondFactor = sql<boolean>`case coalesce((select t.value #>> '{}'
    from settings t where t.name = 'second_factor_for'), 'nobody')
  when 'nobody' then false when 'office' then a.role in ('super', 'admin') else true end`;

/** SQL that is true if the account `a` must have a second factor and has not confirmed one yet. */
export const lacksSecondFactor = sql<boolean>`(${mustHaveSecondFactor} and not exists (
  select from two_factor_secrets f where f.account_id = a.id and f.confirmed_at is not null))`;
