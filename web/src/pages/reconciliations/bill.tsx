import { Button } from '#ui/button.tsx';
import { useEffect, useRef, useState } from 'react';
import { getReconciliation } from '@waystation/contract/money/reconciliation.ts';
import type { Reconciliation } from '@waystation/contract/money/reconciliation.ts';
import { useFormat } from '#base/format.ts';
import { usePageSearch } from '#shell/tabs/page.ts';
import { useCall } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import { ErrorPanel } from '#ui/error-panel.tsx';
import { Notice } from '#ui/notice.tsx';
import { Progress } from '#ui/progress.tsx';
import primitives from '#ui/primitives.module.css';
import { Waiting } from '#ui/waiting.tsx';
import { DiscardDialog } from './bill-dialogs.tsx';
import { BillHead, useBack } from './bill-head.tsx';
import { Mapping } from './mapping.tsx';
import styles from './reconciliations.module.css';
import { firstDecision, useBillWords } from './words.ts';
import { Workspace } from './workspace.tsx';

/**
 * Shows the progress of reading the file. Reading continues on the server if the user leaves the
 * page.
 */
const Reading = ({ bill }: { bill: Reconciliation }) => {
  const { t } = useTexts();
  const format = useFormat();
  const { rows_read: done, rows_total: total } = bill;
  const counted = { done: format.number(done), total: total === null ? '…' : format.number(total) };
  const matching = bill.status === 'matching';
  const read =
    done === 0 && total === null
      ? t('reconciliations.reading_start')
      : t('reconciliations.reading', counted);
  const words = matching ? t('reconciliations.matching', { total: counted.total }) : read;
  return (
    <div className={styles['reading']}>
      <Progress
        percent={
          matching ? 100 : total === null || total === 0 ? 0 : Math.floor((done / total) * 100)
        }
        figure={!matching}
        label={words}
      />
      <p role="status" className="tabular">
        {words}
      </p>
      <p className={styles['quiet']}>{t('reconciliations.reading_hint')}</p>
    </div>
  );
};

/** Shows why the file could not be read, or why it was the wrong file, and the next step. */
const Ended = ({ bill }: { bill: Reconciliation }) => {
  const { t } = useTexts();
  const words = useBillWords();
  const back = useBack();
  const [, setSearch] = usePageSearch();
  const [discarding, setDiscarding] = useState(false);
  const failed = bill.status === 'failed';
  const why = words.reason(bill.reason);
  return (
    <div className={styles['reading']}>
      <Notice tone={failed ? 'danger' : 'info'}>
        {t(failed ? 'reconciliations.failed' : 'reconciliations.discarded')}
        {why !== '' && <> · {why}</>}
      </Notice>
      <p className={styles['quiet']}>
        {t(failed ? 'reconciliations.failed_hint' : 'reconciliations.discarded_hint')}
      </p>
      <div className={primitives['buttons']}>
        <Button
          type="primary"
          onClick={() => {
            back();
            setSearch({ form: 'new' });
          }}
        >
          {t('reconciliations.again')}
        </Button>
        {failed && (
          <Button danger onClick={() => setDiscarding(true)}>
            {t('reconciliations.discard')}
          </Button>
        )}
        <Button onClick={back}>{t('reconciliations.back')}</Button>
      </div>
      {discarding && <DiscardDialog bill={bill} onClose={() => setDiscarding(false)} />}
    </div>
  );
};

const isWorking = (bill: Reconciliation | undefined): boolean =>
  bill?.status === 'reading' || bill?.status === 'matching';

/**
 * The page of one carrier bill. While the file is being read, it shows the progress. Afterwards it
 * shows the choice of columns, and then the lines.
 */
export const Bill = ({ id }: { id: number }) => {
  const { t } = useTexts();
  const back = useBack();
  const [search, setSearch] = usePageSearch();
  const [working, setWorking] = useState(false);
  const {
    data: bill,
    error,
    refetch,
  } = useCall(
    getReconciliation,
    { id },
    { staleTime: 0, quiet: working, refetchInterval: working ? 1_000 : false },
  );
  if (isWorking(bill) !== working) setWorking(isWorking(bill));
  // If reading of the file ends while this page is shown, the page opens the lines. They have the
  // same filter as after a click in the list of bills.
  const wasWorking = useRef(false);
  useEffect(() => {
    if (wasWorking.current && !working && bill && search['decision'] === undefined)
      setSearch({ decision: firstDecision(bill) });
    wasWorking.current = working;
  });
  const mapping = search['view'] === 'columns';
  const map = (shown: boolean): void => setSearch({ view: shown ? 'columns' : undefined });
  if (!bill && error)
    return (
      <section className={`${primitives['cardPage']} ${styles['page']}`}>
        <h1>{t('menu.reconciliations')}</h1>
        <ErrorPanel error={error} onRetry={refetch} />
        <div className={primitives['buttons']}>
          <Button onClick={back}>{t('reconciliations.back')}</Button>
        </div>
      </section>
    );
  if (!bill)
    return (
      <section className={`${primitives['cardPage']} ${styles['page']}`}>
        <h1>{t('menu.reconciliations')}</h1>
        <Waiting />
      </section>
    );
  if (!mapping && (bill.status === 'ready' || bill.status === 'settled'))
    return <Workspace bill={bill} onMap={() => map(true)} />;
  return (
    <section className={`${primitives['cardPage']} ${styles['page']}`}>
      <BillHead bill={bill} />
      {isWorking(bill) ? (
        <Reading bill={bill} />
      ) : bill.status === 'mapping' || mapping ? (
        <Mapping key={bill.version} bill={bill} onDone={() => map(false)} />
      ) : (
        <Ended bill={bill} />
      )}
    </section>
  );
};
