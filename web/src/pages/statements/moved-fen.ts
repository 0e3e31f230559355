import type { Statement } from '@waystation/contract/money/statement.ts';

/** The movement of the balance; null for a hold or release, which moves only the held amount. */
export const movedFen = ({ amount, freeze_amount }: Pick<Statement, 'amount' | 'freeze_amount'>) =>
  amount === 0 && freeze_amount !== 0 ? null : amount;
