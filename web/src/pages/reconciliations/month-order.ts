import type { BookPeriod } from '@waystation/contract/money/reconciliation.ts';

/**
 * The action that is possible on a month, or the reason why none is: the month has not ended, or
 * another month must be closed or reopened first.
 */
export type MonthStep =
  | { can: 'close' | 'reopen' }
  | { bar: 'not_ended' }
  | { bar: 'close_first' | 'reopen_first'; month: string };

type Month = Pick<BookPeriod, 'period' | 'status' | 'ended' | 'earlier_open'>;

const lastClosed = (months: readonly Month[]): string =>
  months.reduce(
    (last, { period, status }) => (status === 'closed' && period > last ? period : last),
    '',
  );

/**
 * The action that is possible on a month. Only the earliest open month can be closed, and only the
 * latest closed month can be reopened.
 */
export const stepOf = (month: Month, months: readonly Month[]): MonthStep => {
  if (month.status === 'closed') {
    const last = lastClosed(months);
    return month.period === last ? { can: 'reopen' } : { bar: 'reopen_first', month: last };
  }
  if (month.ended === 0) return { bar: 'not_ended' };
  return month.earlier_open === null
    ? { can: 'close' }
    : { bar: 'close_first', month: month.earlier_open };
};

/** The months, with the month to close next moved to the beginning. */
export const inClosingOrder = <M extends Month>(months: readonly M[]): M[] => {
  const isNext = (month: M): boolean => {
    const step = stepOf(month, months);
    return 'can' in step && step.can === 'close';
  };
  return [...months.filter(isNext), ...months.filter((month) => !isNext(month))];
};

/**
 * Tells whether a month has bills, has only reasons for missing bills, or has neither. It is used
 * only if every carrier account has a bill or a reason.
 */
export const billsOf = ({
  reconciliations,
  missing_bills,
}: Pick<BookPeriod, 'reconciliations' | 'missing_bills'>): 'bills' | 'explained' | 'no_bills' =>
  reconciliations > 0 ? 'bills' : missing_bills.length > 0 ? 'explained' : 'no_bills';
