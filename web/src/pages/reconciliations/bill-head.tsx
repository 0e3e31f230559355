import { ArrowLeftOutlined } from '@ant-design/icons-svg';
import { Button } from '#ui/button.tsx';
import { Icon } from '#ui/icon.tsx';
import type { ReactNode } from 'react';
import type { Reconciliation } from '@waystation/contract/money/reconciliation.ts';
import { useFormat } from '#base/format.ts';
import { usePageSearch, useTabDetail } from '#shell/tabs/page.ts';
import { useTexts } from '#base/texts.ts';
import { BillStatus } from './bill-columns.tsx';
import primitives from '#ui/primitives.module.css';
import styles from './reconciliations.module.css';
import { sizeText } from '#ui/values/file-size.ts';
import { useBillWords } from './words.ts';

/** Returns from the bill to the list of bills, with the list's filters and page unchanged. */
export const useBack = (): (() => void) => {
  const [, setSearch] = usePageSearch();
  const own = {
    id: undefined,
    bucket: undefined,
    decision: undefined,
    within_tolerance: undefined,
    station_id: undefined,
    view: undefined,
    job: undefined,
  };
  return () =>
    setSearch({ ...own, q: undefined, sort: undefined, page: undefined, saved: undefined });
};

/** Shows the file of the bill, who uploaded it, and when. */
export const BillOrigin = ({ bill }: { bill: Reconciliation }) => {
  const { t } = useTexts();
  const format = useFormat();
  return (
    <span
      className={styles['origin']}
      title={`${bill.file_name} ${format.moment(bill.created_at)}`}
    >
      {t('common.file_size', { name: bill.file_name, size: sizeText(bill.file_bytes, format) })} ·{' '}
      {bill.created_by_name} · {format.time(bill.created_at)}
    </span>
  );
};

/**
 * The title of a bill, with the actions on the whole bill. If there are no actions, the file of the
 * bill is shown instead.
 */
export const BillHead = ({ bill, children }: { bill: Reconciliation; children?: ReactNode }) => {
  const { t } = useTexts();
  const words = useBillWords();
  const back = useBack();
  useTabDetail(words.name(bill));
  return (
    <div className={`${primitives['pageHead']} ${styles['head']}`}>
      <Button
        type="text"
        icon={<Icon of={ArrowLeftOutlined} />}
        aria-label={t('reconciliations.back')}
        title={t('reconciliations.back')}
        onClick={back}
      />
      <h1>{words.name(bill)}</h1>
      <BillStatus bill={bill} />
      {children ? <span className={styles['tools']}>{children}</span> : <BillOrigin bill={bill} />}
    </div>
  );
};
