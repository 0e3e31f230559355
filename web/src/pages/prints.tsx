import { listAccounts } from '@waystation/contract/people/account.ts';
import { mostPageSize } from '@waystation/contract/base/limits.ts';
import {
  boundedPrints,
  countPrints,
  listPrints,
  printDrivers,
  printResults,
} from '@waystation/contract/parcels/print.ts';
import type { PrintRecord, PrintResult } from '@waystation/contract/parcels/print.ts';
import type { InputOf, OutputOf } from '@waystation/contract/base/endpoint.ts';
import { useFormat } from '#base/format.ts';
import { useCall } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import { openScreen } from '#shell/tabs/open-screen.ts';
import { usePrinting } from '#printing/printing.tsx';
import { choicesOf } from '#resource/list/list-filters.ts';
import type { ListFilter } from '#resource/list/list-filters.ts';
import { ListPage } from '#resource/list/list-page.tsx';
import type { Counts } from '#resource/list/use-counts.ts';
import { useList } from '#resource/list/use-list.ts';
import { useStationFilter } from '#resource/stations/station-filter.tsx';
import { useSeveralStations } from '#resource/stations/station-picker.tsx';
import { Button } from '#ui/button.tsx';
import { Notice } from '#ui/notice.tsx';
import { notify } from '#ui/overlay/notify.tsx';
import type { RowAction } from '#ui/overlay/row-action.ts';
import { failingText, sumsText, unreportedText } from './prints/count-texts.ts';
import { PrintCard, usePrintColumns } from './prints/columns.tsx';
import { PrintDrawer } from './prints/print-drawer.tsx';
import { PrinterFigures } from './prints/printer-figures.tsx';
import { printableOf, printablesOf } from './prints/printable.ts';
import { unprinted, unreportedInput } from './prints/unprinted.ts';
import { usePrintWords } from './prints/words.ts';

const useFilters = (several: boolean): ListFilter[] => {
  const { t, language } = useTexts();
  const station = useStationFilter();
  const { data: people } = useCall(
    listAccounts,
    { page_size: mostPageSize },
    { quiet: true, staleTime: 300_000 },
  );
  return [
    { key: 'created', kind: 'days', label: t('prints.days') },
    ...(several ? [{ ...station, more: false }] : []),
    {
      key: 'user_id',
      kind: 'choice',
      label: t('prints.user'),
      options: (people?.items ?? []).map(({ id, nickname, username }) => ({
        value: String(id),
        label: nickname || username,
      })),
    },
    {
      key: 'result',
      kind: 'choice',
      label: t('prints.result'),
      options: choicesOf(printResults, language),
    },
    {
      key: 'reprint',
      kind: 'choice',
      label: t('prints.again'),
      options: [
        { value: '1', label: t('prints.again_only') },
        { value: '0', label: t('prints.first_only') },
      ],
      more: true,
    },
    {
      key: 'driver',
      kind: 'choice',
      label: t('prints.driver'),
      options: choicesOf(printDrivers, language),
      more: true,
    },
    {
      key: 'count_from',
      kind: 'choice',
      label: t('prints.count_from'),
      options: ['2', '3', '5', '10'].map((value) => ({ value, label: value })),
      more: true,
    },
    { key: 'batch_id', kind: 'text', label: t('prints.batch'), more: true },
  ];
};

type PrintCounts = Counts<OutputOf<typeof countPrints>>;

const Sums = ({ counts }: { counts: PrintCounts }) => {
  const { t } = useTexts();
  const format = useFormat();
  return counts.stale || !counts.answer ? '…' : sumsText(counts.answer, t, format);
};

/** The notice about printers whose labels failed. It is hidden if there are no such printers. */
const Failing = ({ counts }: { counts: PrintCounts }) => {
  const { t, language } = useTexts();
  const format = useFormat();
  const text = counts.answer ? failingText(counts.answer, t, language, format) : null;
  return text === null ? null : <Notice tone="warn">{text}</Notice>;
};

/**
 * The notice about labels whose workstation never reported a result. It offers to show them and to
 * print them again.
 */
const Unreported = ({
  counts,
  onShow,
  onAgain,
}: {
  counts: PrintCounts;
  onShow: () => void;
  onAgain: () => void;
}) => {
  const { t } = useTexts();
  const format = useFormat();
  const text = counts.answer ? unreportedText(counts.answer, t, format) : null;
  if (text === null) return null;
  return (
    <Notice
      tone="warn"
      actions={
        <>
          <Button onClick={onShow}>{t('prints.show_unreported')}</Button>
          <Button type="primary" onClick={onAgain}>
            {t('prints.again_unreported')}
          </Button>
        </>
      }
    >
      {text}
    </Notice>
  );
};

/** The page of all label prints (requirements §2, PrintTable). */
export const Page = () => {
  const { t } = useTexts();
  const several = useSeveralStations();
  const printing = usePrinting();
  const words = usePrintWords();
  const list = useList({
    name: 'prints',
    endpoint: listPrints,
    counts: countPrints,
    filters: useFilters(several),
    sort: '-created_at',
    bounded: boundedPrints,
    exportable: true,
  });
  /**
   * Prints failed labels again, except for labels that have been printed successfully since then.
   */
  const again = async (
    results: readonly PrintResult[],
    filters: InputOf<typeof listPrints>,
  ): Promise<void> => {
    try {
      const rows = await unprinted(results, filters);
      if (rows.length === 0) notify.info(t('prints.none_left'));
      else printing.print(rows);
    } catch (error) {
      notify.failure(error);
    }
  };
  const actions: RowAction<PrintRecord>[] = [
    {
      key: 'reprint',
      label: t('prints.reprint'),
      blocked: words.blocked,
      run: (row) => printing.print([printableOf(row)]),
    },
    {
      key: 'preview',
      label: t('prints.preview'),
      blocked: words.blocked,
      run: (row) => printing.preview([printableOf(row)]),
    },
    {
      key: 'parcel',
      label: t('prints.open_parcel'),
      run: (row) => openScreen('ExpressTable', { id: row.express_id }),
    },
    {
      key: 'batch',
      label: t('prints.same_batch'),
      visible: (row) => row.batch_id !== null,
      run: (row) => list.change({ batch_id: row.batch_id ?? undefined }),
    },
    {
      key: 'failed',
      label: t('prints.failed_of_batch'),
      visible: (row) => row.batch_id !== null && row.result === 'failed',
      run: (row) => list.change({ batch_id: row.batch_id ?? undefined, result: 'failed' }),
    },
  ];
  actions.push({
    key: 'again',
    label: t('prints.again_batch'),
    visible: (row) =>
      row.batch_id !== null && (row.result === 'failed' || row.result === 'unreported'),
    run: (row) => void again(['failed', 'unreported'], { batch_id: row.batch_id! }),
  });
  const chosen = printablesOf(list.chosen);
  const reprint = (row: PrintRecord): void => {
    const reason = words.blocked(row);
    if (reason === null) printing.print([printableOf(row)]);
    else notify.warning(reason);
  };
  return (
    <ListPage
      list={list}
      title={t('menu.prints')}
      searches={t('prints.searches')}
      columns={usePrintColumns({ actions, several, open: list.open })}
      nameOf={words.name}
      card={PrintCard}
      hint={t('prints.hint')}
      keys={[{ keys: 'p', label: t('prints.reprint'), run: reprint }]}
      bulk={
        !list.everything && (
          <Button type="primary" onClick={() => printing.print(chosen)}>
            {t('prints.reprint_many', { count: chosen.length })}
          </Button>
        )
      }
      slots={{
        sums: <Sums counts={list.counts} />,
        above: (
          <>
            <PrinterFigures station_id={list.place.values['station_id']} />
            <Failing counts={list.counts} />
            <Unreported
              counts={list.counts}
              onShow={() => list.change({ result: 'unreported' })}
              onAgain={() => void again(['unreported'], unreportedInput(list.place))}
            />
          </>
        ),
        tools: <Button onClick={printing.setUp}>{t('common.print.set_up')}</Button>,
        phoneTools: <Button onClick={printing.setUp}>{t('common.print.set_up')}</Button>,
      }}
    >
      <PrintDrawer list={list} printing={printing} />
      {printing.dialogs}
    </ListPage>
  );
};
