import type { Reconciliation } from '@waystation/contract/money/reconciliation.ts';
import { useTexts } from '#base/texts.ts';
import { yuan } from '#ui/values/amounts.ts';
import { Money } from '#ui/values/money.tsx';
import { Notice } from '#ui/notice.tsx';
import { BillOrigin } from './bill-head.tsx';
import styles from './reconciliations.module.css';

/**
 * The sums of a bill: the carrier's total, the total of our prices, and the owed, paid and unpaid
 * amounts. The file of the bill follows.
 */
export const Strip = ({ bill }: { bill: Reconciliation }) => {
  const { t } = useTexts();
  const ours = bill.buckets.reduce((sum, { ours_amount }) => sum + ours_amount, 0);
  const facts = [
    [t('reconciliations.total'), bill.theirs_amount, false],
    [t('reconciliations.ours'), ours, false],
    [t('reconciliations.difference'), bill.theirs_amount - ours, true],
    [t('reconciliations.owed'), bill.owed_amount, false],
    [t('reconciliations.paid'), bill.paid_amount, false],
    [t('reconciliations.unpaid'), bill.owed_amount - bill.paid_amount, false],
  ] as const;
  return (
    <div className={styles['strip']}>
      <dl className={styles['sums']}>
        {facts.map(([label, fen, signed]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              <Money fen={fen} signed={signed} />
            </dd>
          </div>
        ))}
      </dl>
      <BillOrigin bill={bill} />
    </div>
  );
};

/**
 * Compares the total row of the bill with the sum of its lines; shows nothing if the bill has no
 * total row.
 */
export const Stated = ({ bill }: { bill: Reconciliation }) => {
  const { t } = useTexts();
  const { stated_amount, theirs_amount } = bill;
  if (stated_amount === null || bill.status === 'matching') return null;
  const stated = yuan(stated_amount);
  return stated_amount === theirs_amount ? (
    <p className={styles['quiet']}>{t('reconciliations.stated_equal', { stated })}</p>
  ) : (
    <Notice tone="warn">
      {t('reconciliations.stated_differs', {
        stated,
        lines: yuan(theirs_amount),
        difference: yuan(stated_amount - theirs_amount),
      })}
    </Notice>
  );
};
