import { Button } from 'antd';
import { useState } from 'react';
import { office } from '@waystation/contract/roles.ts';
import { approveStatement, listStatements, statementStatuses, statementTypes } from '@waystation/contract/statement.ts';
import type { Statement } from '@waystation/contract/statement.ts';
import { call, newIdempotencyKey } from '#app/call.ts';
import { confirmed, notify } from '#app/notify.tsx';
import { refresh } from '#app/query.ts';
import { useUser } from '#app/session.ts';
import { useTexts } from '#app/texts.ts';
import type { ListFilter } from '#parts/list/list-filters.ts';
import { ListPage } from '#parts/list/list-page.tsx';
import { useList } from '#parts/list/use-list.ts';
import { StationPicker, useSeveralStations } from '#parts/station-picker.tsx';
import { TopUpDialog } from '#parts/top-up-dialog.tsx';
import type { TopUp } from '#parts/top-up-dialog.tsx';
import { yuan } from '#ui/amounts.ts';
import type { RowAction } from '#ui/row-action.ts';
import { StatementCard, useStatementColumns } from './statements/columns.tsx';
import { AdjustDialog, ReasonDialog, WithdrawDialog, moneyShown } from './statements/dialogs.tsx';
import type { Asked } from './statements/dialogs.tsx';
import { StatementDrawer } from './statements/drawer.tsx';
import { StripWords } from './statements/strip.tsx';
import { lineName, useLineWords } from './statements/words.ts';

const useFilters = (several: boolean): ListFilter[] => {
  const { t, language } = useTexts();
  const choices = (words: Record<string, { zh: string; en: string }>) => Object.entries(words).map(([value, each]) => ({ value, label: each[language] }));
  const [names, setNames] = useState<Record<string, string>>({});
  const station: ListFilter = {
    key: 'station_id',
    kind: 'own',
    label: t('common.station'),
    words: (id) => names[id] ?? `#${id}`,
    control: (value, change, bare) => (
      <StationPicker
        label={t('common.station')}
        bare={bare}
        clearable
        value={value === '' ? null : Number(value)}
        shown={names[value]}
        onChange={(id, name) => {
          if (id !== null) setNames({ ...names, [id]: name });
          change(id === null ? undefined : String(id));
        }}
      />
    ),
  };
  return [
    { key: 'posted', kind: 'days', label: t('statements.posted') },
    ...(several ? [station] : []),
    { key: 'type', kind: 'choice', label: t('statements.type'), options: choices(statementTypes) },
    { key: 'status', kind: 'choice', label: t('statements.status'), options: choices(statementStatuses), more: true },
    { key: 'period', kind: 'text', label: t('statements.period'), more: true },
  ];
};

const charged = new Set(['charge', 'reweigh', 'surcharge']);

/** What the office does with a line: decides on a request, takes a charge back. */
const useLineActions = (isOffice: boolean, ask: (asked: Asked) => void): RowAction<Statement>[] => {
  const { t } = useTexts();
  const words = useLineWords();
  if (!isOffice) return [];
  const approve = async (line: Statement): Promise<void> => {
    const title = t('statements.approve_question', { station: line.station_name, type: words.type(line), amount: yuan(line.amount) });
    if (!(await confirmed({ title, content: t('statements.approve_hint'), ok: t('statements.approve') }))) return;
    try {
      await call(approveStatement, { id: line.id }, { idempotencyKey: newIdempotencyKey() });
      notify.success(t('statements.approved'));
      await refresh(...moneyShown);
    } catch (error) {
      notify.failure(error);
    }
  };
  const pending = ({ status }: Statement): boolean => status === 'pending';
  return [
    { key: 'approve', label: t('statements.approve'), visible: pending, run: (line) => void approve(line) },
    { key: 'decline', label: t('statements.decline'), visible: pending, run: (line) => ask({ what: 'decline', line }) },
    {
      key: 'reverse',
      label: t('statements.reverse'),
      danger: true,
      visible: ({ status, type, express_id }) => status === 'posted' && charged.has(type) && express_id !== null,
      run: (line) => ask({ what: 'reverse', line }),
    },
  ];
};

/** Billing: every fen that moved, in the order of posting, with why and with what it posted (requirements §2, StatementTable). */
export const Page = () => {
  const { t } = useTexts();
  const { role } = useUser();
  const several = useSeveralStations();
  const words = useLineWords();
  const isOffice = office.includes(role);
  const [asked, setAsked] = useState<Asked | null>(null);
  const [dialog, setDialog] = useState<'adjust' | 'withdraw' | null>(null);
  const [topUp, setTopUp] = useState<TopUp | null>(null);
  const list = useList({ name: 'statements', endpoint: listStatements, filters: useFilters(several), sort: '-posted_at' });
  const actions = useLineActions(isOffice, setAsked);
  return (
    <ListPage
      list={list}
      title={t('menu.statements')}
      searches={t('statements.searches')}
      columns={useStatementColumns(actions, several, list.open)}
      nameOf={(row) => lineName(row, words.type(row))}
      card={StatementCard}
      sums={<StripWords strip={list.data?.strip} />}
      hint={t('statements.hint')}
      exportable
      tools={
        isOffice ? (
          <>
            <Button type="primary" onClick={() => setTopUp({ station: null })}>
              {t('common.top_up')}
            </Button>
            <Button onClick={() => setDialog('adjust')}>{t('statements.adjust')}</Button>
          </>
        ) : (
          <Button onClick={() => setDialog('withdraw')}>{t('statements.withdraw')}</Button>
        )
      }
    >
      <StatementDrawer list={list} actions={actions} />
      {asked && <ReasonDialog asked={asked} onClose={() => setAsked(null)} />}
      {dialog === 'adjust' && <AdjustDialog onClose={() => setDialog(null)} />}
      {dialog === 'withdraw' && <WithdrawDialog onClose={() => setDialog(null)} />}
      <TopUpDialog
        asked={topUp}
        onClose={() => {
          setTopUp(null);
          void refresh(...moneyShown);
        }}
      />
    </ListPage>
  );
};
