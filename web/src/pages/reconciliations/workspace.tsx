import { DownloadOutlined } from '@ant-design/icons-svg';
import { Button } from '#ui/button.tsx';
import { useId, useState } from 'react';
import {
  billBuckets,
  billDecisions,
  disputedFile,
  listBillRows,
} from '@waystation/contract/money/reconciliation.ts';
import type {
  BillBucket,
  BillRow,
  Reconciliation,
} from '@waystation/contract/money/reconciliation.ts';
import { callFile } from '#base/call.ts';
import { useFormat } from '#base/format.ts';
import { openScreen } from '#shell/tabs/open-screen.ts';
import { useCall } from '#base/query.ts';
import { saveFile } from '#base/save-file.ts';
import { useTexts } from '#base/texts.ts';
import { useActions } from '#shell/submit/use-actions.ts';
import { useStationFilter } from '#resource/stations/station-filter.tsx';
import { choicesOf, filterInput, withoutFilters } from '#resource/list/list-filters.ts';
import type { ListFilter } from '#resource/list/list-filters.ts';
import { ListPage } from '#resource/list/list-page.tsx';
import { useList } from '#resource/list/use-list.ts';
import { signedYuan } from '#ui/values/amounts.ts';
import { Icon } from '#ui/icon.tsx';
import { Money } from '#ui/values/money.tsx';
import type { RowAction } from '#ui/overlay/row-action.ts';
import { TabStrip } from '#ui/tab-strip.tsx';
import { DiscardDialog, PayDialog, ToleranceDialog } from './bill-dialogs.tsx';
import { BillHead } from './bill-head.tsx';
import { Stated, Strip } from './bill-sums.tsx';
import { AcceptDialog, DisputeDialog } from './decide-dialogs.tsx';
import { LineCard, useLineColumns, useLineName } from './line-columns.tsx';
import { acceptable } from './preview.ts';
import styles from './reconciliations.module.css';
import { standOnNext, useAcceptOne, useHeldFocus } from './use-decisions.ts';
import type { Which } from './use-decisions.ts';
import { billsShown, useBillWords } from './words.ts';

type Tab = BillBucket | 'all';

/**
 * The groups of lines. Each shows the number of its lines, the number of undecided lines, and the
 * difference between the carrier's amounts and ours.
 */
const Buckets = ({
  bill,
  value,
  onChange,
  controls,
}: {
  bill: Reconciliation;
  value: Tab;
  onChange: (tab: Tab) => void;
  controls: string;
}) => {
  const { t } = useTexts();
  const format = useFormat();
  const words = useBillWords();
  const sum = (key: 'count' | 'open' | 'ours_amount' | 'theirs_amount'): number =>
    bill.buckets.reduce((total, bucket) => total + bucket[key], 0);
  const all = {
    bucket: 'all' as const,
    count: sum('count'),
    open: sum('open'),
    ours_amount: sum('ours_amount'),
    theirs_amount: sum('theirs_amount'),
  };
  return (
    <TabStrip<Tab>
      label={t('reconciliations.bucket')}
      controls={controls}
      value={value}
      onChange={onChange}
      tabs={[
        all,
        ...bill.buckets.filter(
          ({ bucket, count }) => bucket !== 'unreadable' || count > 0 || value === bucket,
        ),
      ].map(({ bucket, count, open, ours_amount, theirs_amount }) => ({
        key: bucket,
        label: bucket === 'all' ? t('reconciliations.all') : words.bucket(bucket),
        count: format.number(count),
        empty: count === 0,
        note:
          count === 0 ? (
            '—'
          ) : (
            <>
              <span className={styles['left']} data-open={open > 0 || undefined}>
                {open > 0
                  ? t('reconciliations.open_of', { count: format.number(open) })
                  : t('reconciliations.all_done')}
              </span>{' '}
              {theirs_amount - ours_amount !== 0 && signedYuan(theirs_amount - ours_amount)}
            </>
          ),
      }))}
    />
  );
};

/** The sums of the group of lines that is shown. */
const BucketSums = ({ bill, tab }: { bill: Reconciliation; tab: Tab }) => {
  const { t } = useTexts();
  const shown = bill.buckets.filter(({ bucket }) => tab === 'all' || bucket === tab);
  const ours = shown.reduce((sum, { ours_amount }) => sum + ours_amount, 0);
  const theirs = shown.reduce((sum, { theirs_amount }) => sum + theirs_amount, 0);
  return (
    <>
      {t('reconciliations.ours')} <Money fen={ours} /> · {t('reconciliations.theirs')}{' '}
      <Money fen={theirs} /> · {t('reconciliations.difference')}{' '}
      <Money fen={theirs - ours} signed />
    </>
  );
};

const useFilters = (): { bucket: ListFilter; shown: ListFilter[] } => {
  const { t, language } = useTexts();
  const station = useStationFilter();
  return {
    bucket: {
      key: 'bucket',
      kind: 'choice',
      label: t('reconciliations.bucket'),
      options: choicesOf(billBuckets, language),
    },
    shown: [
      {
        key: 'decision',
        kind: 'choice',
        label: t('reconciliations.decision'),
        options: choicesOf(billDecisions, language),
      },
      {
        key: 'within_tolerance',
        kind: 'choice',
        label: t('reconciliations.tolerances'),
        options: [
          { value: '1', label: t('reconciliations.within') },
          { value: '0', label: t('reconciliations.beyond') },
        ],
      },
      station,
    ],
  };
};

/**
 * The lines of one group (bucket) as a list. The group is chosen with tabs, so it is neither a
 * filter nor a chip.
 */
const useLines = (bill: Reconciliation) => {
  const { bucket, shown } = useFilters();
  const list = useList({
    name: 'bill_rows',
    endpoint: listBillRows,
    filters: [bucket, ...shown],
    sort: 'id',
    input: { id: bill.id },
    refreshes: billsShown,
  });
  const chips = list.chips.filter(({ key }) => key !== 'bucket');
  const tab = (list.place.values['bucket'] ?? 'all') as Tab;
  const clear = (): void => list.setSearch({ ...withoutFilters(shown), q: undefined });
  return {
    tab,
    list: {
      ...list,
      filters: shown,
      chips,
      filtered: list.place.q !== '' || chips.length > 0,
      clearFilters: clear,
      clearChips: clear,
      opened: null,
      openedRow: undefined,
      open: ({ id }: { id: number }) => {
        const row = list.rows?.find((each) => each.id === id);
        if (row?.express_id) openScreen('ExpressTable', { id: row.express_id });
      },
    },
  };
};

type OpenDialog =
  | { what: 'accept' | 'dispute'; which: Which }
  | { what: 'pay' | 'tolerances' | 'discard' };

const withinOpen = { within_tolerance: 1, decision: 'open' } as const;

/** The actions on the whole bill. */
const BillTools = ({
  bill,
  within,
  onMap,
  ask,
}: {
  bill: Reconciliation;
  /** The number of undecided lines whose difference is within the tolerance. */
  within: number;
  onMap: () => void;
  ask: (dialog: OpenDialog) => void;
}) => {
  const { t, language } = useTexts();
  const format = useFormat();
  const { busy, run } = useActions<'file'>();
  const sum = (key: 'accepted' | 'disputed'): number =>
    bill.buckets.reduce((total, bucket) => total + bucket[key], 0);
  const disputed = sum('disputed');
  const untouched = sum('accepted') + disputed === 0 && bill.paid_amount === 0;
  const download = () =>
    run('file', async () => {
      const { blob, name } = await callFile(disputedFile, { id: bill.id, language });
      saveFile(blob, name);
    });
  return (
    <>
      {within > 0 && (
        <Button
          type="primary"
          data-first-stop
          onClick={() => ask({ what: 'accept', which: { filter: withinOpen } })}
        >
          {t('reconciliations.accept_within', { count: format.number(within) })}
        </Button>
      )}
      {disputed > 0 && (
        <Button
          icon={<Icon of={DownloadOutlined} />}
          loading={busy.size > 0}
          onClick={() => void download()}
        >
          {t('reconciliations.download', { count: format.number(disputed) })}
        </Button>
      )}
      {bill.owed_amount > bill.paid_amount && (
        <Button onClick={() => ask({ what: 'pay' })}>{t('reconciliations.pay')}</Button>
      )}
      <Button onClick={() => ask({ what: 'tolerances' })}>{t('reconciliations.tolerances')}</Button>
      {untouched && <Button onClick={onMap}>{t('reconciliations.map_again')}</Button>}
      {sum('accepted') === 0 && bill.paid_amount === 0 && (
        <Button danger onClick={() => ask({ what: 'discard' })}>
          {t('reconciliations.discard')}
        </Button>
      )}
    </>
  );
};

/**
 * The workspace for the lines of a bill, in groups. Lines are accepted (`a`) or disputed (`d`), one
 * by one or many together, until all are decided.
 */
export const Workspace = ({ bill, onMap }: { bill: Reconciliation; onMap: () => void }) => {
  const { t } = useTexts();
  const words = useBillWords();
  const panel = useId();
  const nameOf = useLineName();
  const { tab, list } = useLines(bill);
  const within = useCall(
    listBillRows,
    { id: bill.id, ...withinOpen, page_size: 1 },
    { quiet: true },
  ).data?.total;
  const isGiven = useHeldFocus(within !== undefined && list.rows !== undefined);
  const one = useAcceptOne(bill.id);
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  const chosen = (): Which | null => {
    if (list.everything) return { filter: filterInput(list.place) };
    return list.chosen.length > 0 ? { rows: list.chosen } : null;
  };
  const accept = (row: BillRow): void => {
    const many = chosen();
    if (many) setDialog({ what: 'accept', which: many });
    else if (!acceptable(row)) standOnNext(row.id);
    else if (row.decision === 'disputed' || isGiven(row.id))
      setDialog({ what: 'accept', which: { rows: [row] } });
    else void one.accept(row);
  };
  const dispute = (row: BillRow): void => {
    const many = chosen();
    if (many) setDialog({ what: 'dispute', which: many });
    else if (row.decision === 'open') setDialog({ what: 'dispute', which: { rows: [row] } });
    else standOnNext(row.id);
  };
  const actions: RowAction<BillRow>[] = [
    {
      key: 'accept',
      label: t('reconciliations.accept'),
      visible: (row) => acceptable(row) && !one.working.has(row.id),
      run: (row) => void one.accept(row),
    },
    {
      key: 'dispute',
      label: t('reconciliations.dispute'),
      visible: (row) => row.decision === 'open' && !one.working.has(row.id),
      run: (row) => setDialog({ what: 'dispute', which: { rows: [row] } }),
    },
  ];
  const started = (job: number): void => {
    if (dialog && 'which' in dialog && 'rows' in dialog.which && dialog.which.rows.length === 1)
      standOnNext(dialog.which.rows[0]!.id);
    list.clearSelection();
    list.openJob(job);
  };
  const close = (): void => setDialog(null);
  const columns = useLineColumns(actions, one.working, tab === 'all');
  return (
    <ListPage
      list={list}
      title={tab === 'all' ? t('reconciliations.lines') : words.bucket(tab)}
      searches={t('reconciliations.lines_searches')}
      slots={{
        views: null,
        top: (
          <>
            <BillHead bill={bill}>
              <BillTools bill={bill} within={within ?? 0} onMap={onMap} ask={setDialog} />
            </BillHead>
            <Strip bill={bill} />
            <Stated bill={bill} />
            <Buckets
              bill={bill}
              value={tab}
              controls={panel}
              onChange={(next) => {
                list.clearSelection();
                const open = bill.buckets.find(({ bucket }) => bucket === next)?.open;
                list.change({
                  bucket: next === 'all' ? undefined : next,
                  // If the group has no undecided lines, the filter "undecided" is removed, so that
                  // the decided lines are shown.
                  ...(open === 0 && { decision: undefined }),
                });
              }}
            />
          </>
        ),
        sums: <BucketSums bill={bill} tab={tab} />,
        panel: { id: panel, tab: `${panel}-${tab}` },
      }}
      columns={columns}
      nameOf={nameOf}
      card={LineCard}
      keys={[
        { keys: 'a', label: t('reconciliations.accept'), run: accept },
        { keys: 'd', label: t('reconciliations.dispute'), run: dispute },
      ]}
      bulk={
        <>
          <Button type="primary" onClick={() => setDialog({ what: 'accept', which: chosen()! })}>
            {t('reconciliations.accept')}
          </Button>
          <Button onClick={() => setDialog({ what: 'dispute', which: chosen()! })}>
            {t('reconciliations.dispute')}
          </Button>
        </>
      }
      hint={t('reconciliations.lines_hint')}
    >
      {dialog?.what === 'accept' && (
        <AcceptDialog bill={bill.id} which={dialog.which} onStarted={started} onClose={close} />
      )}
      {dialog?.what === 'dispute' && (
        <DisputeDialog bill={bill.id} which={dialog.which} onStarted={started} onClose={close} />
      )}
      {dialog?.what === 'pay' && <PayDialog bill={bill} onClose={close} />}
      {dialog?.what === 'tolerances' && <ToleranceDialog bill={bill} onClose={close} />}
      {dialog?.what === 'discard' && <DiscardDialog bill={bill} onClose={close} />}
    </ListPage>
  );
};
