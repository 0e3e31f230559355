import { discountText, shortDiscount } from '@waystation/contract/discount.ts';
import { statementStatuses, statementTypes } from '@waystation/contract/statement.ts';
import type { Statement } from '@waystation/contract/statement.ts';
import { useTexts } from '#base/texts.ts';

/** The type and status of a line in the reader's language, and its discount as the trade says it. */
export const useLineWords = () => {
  const { t, language } = useTexts();
  return {
    type: ({ type }: Pick<Statement, 'type'>): string => statementTypes[type][language],
    /** A request is declined with a reason; without one it was taken back by who made it. */
    status: ({ status, decision_reason }: Pick<Statement, 'status' | 'decision_reason'>): string =>
      status === 'declined' && decision_reason === '' ? t('statements.retracted_status') : statementStatuses[status][language],
    /** Where the column has no room for both. */
    rate: (rate: number): string => shortDiscount(rate, language),
    discount: (rate: number | null): string => (rate === null ? '—' : discountText(rate, language)),
  };
};

/** The title of a transaction: its type, and the parcel or its own number. */
export const lineName = (row: Statement, type: string): string => [type, row.delivery_id ?? (row.seq === null ? '' : `#${row.seq}`)].filter(Boolean).join(' ');
