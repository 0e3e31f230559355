import { discountText, shortDiscount } from '@waystation/contract/money/discount.ts';
import { statementStatuses, statementTypes } from '@waystation/contract/money/statement.ts';
import type { Statement } from '@waystation/contract/money/statement.ts';
import { wordOf } from '@waystation/contract/base/word-of.ts';
import { useTexts } from '#base/texts.ts';

/**
 * The texts for a transaction: its type, its status and its discount. A discount is written
 * differently in Chinese and in English.
 */
export const useLineWords = () => {
  const { t, language } = useTexts();
  return {
    type: ({ type }: Pick<Statement, 'type'>): string => wordOf(statementTypes, type, language),
    /** The text of a status. A declined request without a reason was withdrawn by its requester. */
    status: ({ status, decision_reason }: Pick<Statement, 'status' | 'decision_reason'>): string =>
      status === 'declined' && decision_reason === ''
        ? t('statements.retracted_status')
        : wordOf(statementStatuses, status, language),
    /** The short text of a rate, for a narrow column. */
    rate: (rate: number): string => shortDiscount(rate, language),
    discount: (rate: number | null): string => (rate === null ? '—' : discountText(rate, language)),
  };
};

/**
 * The title of a transaction: its type, followed by the parcel's number or else the transaction's
 * number.
 */
export const lineName = (row: Statement, type: string): string =>
  [type, row.delivery_id ?? (row.seq === null ? '' : `#${row.seq}`)].filter(Boolean).join(' ');
