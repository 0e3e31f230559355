import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';

/**
 * SQL for the first instant of a business day (`YYYY-MM-DD`, Asia/Shanghai), or of the day that is
 * `later` days after it. In TypeScript it is `dayStart` of clock.ts.
 */
export const sqlDayStart = (day: string, later = 0): RawBuilder<Date> =>
  sql<Date>`((${day}::date + ${later}::int)::timestamp at time zone 'Asia/Shanghai')`;

/**
 * SQL for the first instant of a month (`YYYY-MM`, Asia/Shanghai), or of the month that is `later`
 * months after it.
 */
export const sqlMonthStart = (month: string, later = 0): RawBuilder<Date> =>
  sql<Date>`((${`${month}-01`}::date + ${later}::int * interval '1 month') at time zone 'Asia/Shanghai')`;
