import type { Reason } from '@waystation/contract/base/envelope.ts';
import { percentText } from '@waystation/contract/money/money.ts';
import type { ReaderWork } from '#platform/db/db.ts';
import { scopeCondition } from '#platform/db/scope.ts';
import { failFields } from '#platform/fail.ts';
import type { StationRow } from './tree.ts';

type Terms = Pick<StationRow, 'profit' | 'fixed_profit' | 'enable_profit'>;
const none: Terms = { profit: 0, fixed_profit: 0, enable_profit: 0 };

/**
 * Fails if a partner sets profit terms of a station above the limits that an admin set for the
 * partner's own station. It also fails if the partner enables sharing while the terms are above
 * these limits (requirements §10.12.4). The partner may keep terms that an admin set. `before` is
 * null for a new station.
 */
export const checkShares = async (
  work: ReaderWork,
  before: Terms | null,
  after: Terms,
): Promise<void> => {
  if (work.actor.role !== 'partner') return;
  const { profit, fixed_profit, enable_profit } = before ?? none;
  const isSwitchedOn = after.enable_profit === 1 && enable_profit === 0;
  const judged = {
    profit: isSwitchedOn || after.profit !== profit,
    fixed_profit: isSwitchedOn || after.fixed_profit !== fixed_profit,
  };
  if (!judged.profit && !judged.fixed_profit) return;
  const { profit_limit, fixed_profit_limit } = await work.tx
    .selectFrom('stations')
    .select(['profit_limit', 'fixed_profit_limit'])
    .where('id', '=', work.actor.station_id)
    .where(scopeCondition(work, 'id'))
    .executeTakeFirstOrThrow();
  const problems: Record<string, Reason> = {};
  if (judged.profit && after.profit > profit_limit)
    problems['profit'] = {
      code: 'profit_above_limit',
      params: { percent: percentText(profit_limit) },
    };
  if (judged.fixed_profit && after.fixed_profit > fixed_profit_limit)
    problems['fixed_profit'] = {
      code: 'fixed_profit_above_limit',
      params: { limit_amount: fixed_profit_limit },
    };
  if (Object.keys(problems).length > 0) failFields(problems);
};
