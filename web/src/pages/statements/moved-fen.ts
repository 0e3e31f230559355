import type { Statement } from '@waystation/contract/money/statement.ts';

/** The change of the balance; null for a hold or a release, which changes only the held amount. */
export const movedFen = ({ amount, freeze_amount }: Pick<Statement, 'amount' | 'freeze_amount'>) =>
  amount === 0 && freeze_amount !== 0 ? null : amount;
