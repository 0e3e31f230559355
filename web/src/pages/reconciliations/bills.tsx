import { useState } from 'react';
import {
  listPeriods,
  listReconciliations,
  reconciliationStatuses,
} from '@waystation/contract/money/reconciliation.ts';
import type { BookPeriod, Reconciliation } from '@waystation/contract/money/reconciliation.ts';
import { refresh, useCall } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import { choicesOf } from '#resource/list/list-filters.ts';
import type { ListFilter } from '#resource/list/list-filters.ts';
import { ListPage } from '#resource/list/list-page.tsx';
import { useList } from '#resource/list/use-list.ts';
import { BillCard, useBillColumns } from './bill-columns.tsx';
import { CloseMonth, ReopenMonth } from './month-dialogs.tsx';
import { MonthDrawer } from './month-drawer.tsx';
import { Months } from './months.tsx';
import type { MonthDoors } from './months.tsx';
import { UploadDialog } from './upload-dialog.tsx';
import { billsShown, firstDecision, useBillWords } from './words.ts';

const useFilters = (): ListFilter[] => {
  const { t, language } = useTexts();
  const { carrierFilter } = useBillWords();
  const { data } = useCall(listPeriods, {}, { quiet: true });
  return [
    {
      key: 'period',
      kind: 'choice',
      label: t('reconciliations.month'),
      options: (data?.items ?? []).map(({ period }) => ({ value: period, label: period })),
    },
    { key: 'provider', kind: 'choice', label: t('common.carrier'), options: carrierFilter },
    {
      key: 'status',
      kind: 'choice',
      label: t('lists.status'),
      options: choicesOf(reconciliationStatuses, language),
    },
  ];
};

const isWorking = ({ status }: Reconciliation): boolean =>
  status === 'reading' || status === 'matching';

/**
 * All carrier bills with their progress. They are requested again every second while the file of
 * one of them is being read.
 */
const useBills = () => {
  const [working, setWorking] = useState(false);
  const list = useList({
    name: 'reconciliations',
    endpoint: listReconciliations,
    filters: useFilters(),
    sort: '-created_at',
    refetchInterval: working ? 1_000 : false,
  });
  const still = list.rows?.some(isWorking) ?? false;
  if (still !== working) setWorking(still);
  return list;
};

/** The page with the months of the ledger. The carrier bills are listed under them. */
export const Bills = () => {
  const { t } = useTexts();
  const words = useBillWords();
  const list = useBills();
  const [dialog, setDialog] = useState<{ what: 'close' | 'reopen'; month: BookPeriod } | null>(
    null,
  );
  const { search, setSearch } = list;
  const doors: MonthDoors = {
    open: ({ period }) => setSearch({ month: period }, { push: true }),
    close: (month) => setDialog({ what: 'close', month }),
    reopen: (month) => setDialog({ what: 'reopen', month }),
    bills: (period) => list.change({ period }),
  };
  const openBill = ({ id }: { id: number }): void => {
    const bill = list.rows?.find((each) => each.id === id);
    setSearch(
      {
        id,
        decision: bill && firstDecision(bill),
        q: undefined,
        sort: undefined,
        page: undefined,
        month: undefined,
      },
      { push: true },
    );
  };
  return (
    <ListPage
      list={{ ...list, open: openBill, refetch: () => refresh(...billsShown) }}
      title={t('reconciliations.list_title')}
      searches={t('reconciliations.searches')}
      slots={{
        top: (
          <>
            <h1>{t('menu.reconciliations')}</h1>
            <Months doors={doors} />
          </>
        ),
      }}
      columns={useBillColumns(openBill)}
      nameOf={words.name}
      card={BillCard}
      create={{ label: t('reconciliations.new'), run: () => setSearch({ form: 'new' }) }}
      hint={t('reconciliations.hint')}
    >
      {search['form'] === 'new' && (
        <UploadDialog
          onDone={(id) => setSearch({ form: undefined, id, page: undefined })}
          onClose={() => setSearch({ form: undefined })}
        />
      )}
      <MonthDrawer
        period={search['month']}
        doors={doors}
        onMove={(month) => setSearch({ month })}
        onClose={() => setSearch({ month: undefined })}
      />
      {dialog?.what === 'close' && (
        <CloseMonth month={dialog.month} onClose={() => setDialog(null)} />
      )}
      {dialog?.what === 'reopen' && (
        <ReopenMonth month={dialog.month} onClose={() => setDialog(null)} />
      )}
    </ListPage>
  );
};
