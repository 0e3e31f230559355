import { boundedStatements } from '@waystation/contract/base/bounded-lists.ts';
import { useState } from 'react';
import { office } from '@waystation/contract/base/roles.ts';
import { countStatements, listStatements } from '@waystation/contract/money/statement.ts';
import type { Statement } from '@waystation/contract/money/statement.ts';
import { getStation } from '@waystation/contract/network/station.ts';
import type { SearchPatch } from '#base/href.ts';
import { refresh, useCall } from '#base/query.ts';
import { useUser } from '#shell/session/session.ts';
import { useTexts } from '#base/texts.ts';
import { BlockedNotice } from '#money/blocked-notice.tsx';
import { withoutFilters } from '#resource/list/list-filters.ts';
import { ListPage } from '#resource/list/list-page.tsx';
import { useList } from '#resource/list/use-list.ts';
import { AdjustDialog, ReasonDialog, WithdrawDialog, moneyShown } from '#money/money-dialogs.tsx';
import type { ReasonRequest } from '#money/money-dialogs.tsx';
import type { RowKey } from '#resource/table/row-keys.ts';
import { useSeveralStations } from '#resource/stations/station-picker.tsx';
import { TopUpDialog } from '#money/top-up-dialog.tsx';
import type { TopUp } from '#money/top-up-dialog.tsx';
import { TopUpRequestDialog } from '#money/top-up-request-dialog.tsx';
import { Button } from '#ui/button.tsx';
import { lazyComponent } from '#ui/lazy.tsx';
import { StatementCard, useStatementColumns } from './statements/columns.tsx';
import { StatementDrawer } from './statements/drawer.tsx';
import { monthBefore, monthOf } from '#ui/fields/days.ts';
import { StripWords } from './statements/strip.tsx';
import { useStatementFilters } from './statements/use-filters.tsx';
import { useLineActions } from './statements/use-line-actions.ts';
import { lineName, useLineWords } from './statements/words.ts';

const MonthCard = lazyComponent(
  async () => (await import('./statements/month-card.tsx')).MonthCard,
);
const StatementsDialog = lazyComponent(
  async () => (await import('#money/statements-dialog.tsx')).StatementsDialog,
);
const ConfirmationsDrawer = lazyComponent(
  async () => (await import('./statements/confirmations-drawer.tsx')).ConfirmationsDrawer,
);

/**
 * The one station that the page shows: the station in the filter, or else the user's station if the
 * user has only one.
 */
const useOneStation = (chosen: string | undefined, several: boolean) => {
  const { station_id } = useUser();
  const id =
    chosen !== undefined && /^[1-9]\d{0,14}$/.test(chosen)
      ? Number(chosen)
      : several
        ? null
        : station_id;
  const { data } = useCall(getStation, id === null ? null : { id }, {
    quiet: true,
    staleTime: 30_000,
  });
  return {
    id,
    blocked: data?.id === id && data?.blocked === 1 ? data : null,
    closed: data?.id === id && data?.status === 0 ? data : null,
  };
};

/** A top-up without a station. The dialog asks for the station. */
const ofAnyStation: TopUp = { station: null };

/**
 * The page of transactions (requirements §2, StatementTable). It lists all posted amounts in the
 * order of posting, each with its reason and ledger entries.
 */
export const Page = () => {
  const { t } = useTexts();
  const { id: account_id, role, station_id } = useUser();
  const several = useSeveralStations();
  const words = useLineWords();
  const isOffice = office.includes(role);
  const [request, setRequest] = useState<ReasonRequest | null>(null);
  const [dialog, setDialog] = useState<'adjust' | 'withdraw' | 'archive' | null>(null);
  const list = useList({
    name: 'statements',
    endpoint: listStatements,
    counts: countStatements,
    filters: useStatementFilters(several),
    sort: '-posted_at',
    bounded: boundedStatements,
    exportable: true,
  });
  const actions = useLineActions({
    office: isOffice,
    account_id,
    ask: setRequest,
    why: (line) => list.setSearch({ id: line.id, view: 'why' }, { push: list.opened === null }),
  });
  // The keys act on the current row of the list of pending requests.
  const keyOf = (keys: string, key: string): RowKey<Statement>[] =>
    actions
      .filter((action) => action.key === key)
      .map(({ label, visible, run }) => ({
        keys,
        label,
        run: (line) => void (visible?.(line) !== false && run(line)),
      }));
  const { values } = list.place;
  const requests =
    values['status'] === 'pending' || values['status'] === 'declined' ? values['status'] : null;
  const station = useOneStation(values['station_id'], several);
  const agreeing = /^\d{4}-\d{2}$/.test(list.search['confirmations'] ?? '')
    ? list.search['confirmations']!
    : null;
  const lastMonth = (): string => monthBefore(monthOf(Date.now()));
  const showOwn = (patch: SearchPatch): void =>
    list.setSearch({
      ...withoutFilters(list.filters),
      q: undefined,
      ...(role === 'partner' && { station_id: String(station_id) }),
      ...patch,
    });
  const tools = isOffice ? (
    <>
      <Button onClick={() => setDialog('adjust')}>{t('statements.adjust')}</Button>
      {station.closed && (
        <Button onClick={() => setDialog('withdraw')}>{t('statements.withdraw_closed')}</Button>
      )}
      <Button onClick={() => list.setSearch({ confirmations: lastMonth() })}>
        {t('statements.confirmations')}
      </Button>
    </>
  ) : (
    <>
      <Button onClick={() => setDialog('withdraw')}>{t('statements.withdraw')}</Button>
      <Button onClick={() => showOwn({ period: lastMonth() })}>{t('statements.my_month')}</Button>
      {role === 'partner' && (
        <>
          <Button onClick={() => showOwn({ type: 'profit' })}>{t('statements.my_profit')}</Button>
          <Button onClick={() => setDialog('archive')}>{t('statements.archive')}</Button>
        </>
      )}
    </>
  );
  return (
    <ListPage
      list={list}
      title={t('menu.statements')}
      searches={t('statements.searches')}
      columns={useStatementColumns({
        actions,
        several,
        requests,
        every: list.counts.stale ? undefined : list.counts.answer?.sums,
        open: list.open,
      })}
      nameOf={(row) => lineName(row, words.type(row))}
      card={StatementCard}
      create={
        isOffice
          ? { label: t('common.top_up'), run: () => list.openForm('new') }
          : { label: t('statements.request_top_up'), run: () => list.openForm('new') }
      }
      keys={[...keyOf('a', 'approve'), ...keyOf('d', 'decline')]}
      hint={t('statements.hint')}
      bulk={null}
      slots={{
        sums: <StripWords counts={list.counts} />,
        above: (
          <>
            {station.blocked && <BlockedNotice station={station.blocked} />}
            {station.id !== null && values['period'] !== undefined && (
              <MonthCard station_id={station.id} period={values['period']} />
            )}
          </>
        ),
        tools,
        phoneTools: tools,
      }}
    >
      <StatementDrawer list={list} actions={actions} />
      {agreeing !== null && isOffice && (
        <ConfirmationsDrawer
          period={agreeing}
          onPeriod={(confirmations) => list.setSearch({ confirmations })}
          onClose={() => list.setSearch({ confirmations: undefined })}
        />
      )}
      {request && <ReasonDialog request={request} onClose={() => setRequest(null)} />}
      {dialog === 'adjust' && <AdjustDialog onClose={() => setDialog(null)} />}
      {dialog === 'withdraw' && (
        <WithdrawDialog closed={isOffice ? station.closed : null} onClose={() => setDialog(null)} />
      )}
      {dialog === 'archive' && (
        <StatementsDialog
          period={values['period'] ?? lastMonth()}
          onClose={() => setDialog(null)}
        />
      )}
      {!isOffice && list.form === 'new' && <TopUpRequestDialog onClose={list.closeForm} />}
      <TopUpDialog
        request={isOffice && list.form === 'new' ? ofAnyStation : null}
        onClose={() => {
          list.closeForm();
          void refresh(...moneyShown);
        }}
      />
    </ListPage>
  );
};
