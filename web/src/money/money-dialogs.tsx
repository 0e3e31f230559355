import { useState } from 'react';
import { expressAudit } from '@waystation/contract/shell/audit.ts';
import {
  expressOptions,
  expressStatements,
  expressStations,
  getExpress,
} from '@waystation/contract/parcels/express-calls.ts';
import { workplace } from '@waystation/contract/shell/workplace.ts';
import { parseYuan } from '@waystation/contract/money/money.ts';
import {
  adjustStation,
  declineStatement,
  listStatements,
  requestWithdrawal,
  withdrawFromClosed,
  reverseStatement,
  statementJournal,
  unblockStation,
} from '@waystation/contract/money/statement.ts';
import type { Statement } from '@waystation/contract/money/statement.ts';
import { moneyLimits } from '@waystation/contract/shell/setting-calls.ts';
import { getStation, listStations } from '@waystation/contract/network/station.ts';
import {
  confirmStatement,
  ledgerStanding,
  listConfirmations,
  stationStatementSummary,
} from '@waystation/contract/money/station-statement.ts';
import type { StatementSummary } from '@waystation/contract/money/station-statement.ts';
import { call } from '#base/call.ts';
import { useCall } from '#base/query.ts';
import { useUser } from '#shell/session/session.ts';
import { useTexts } from '#base/texts.ts';
import { StationPicker } from '#resource/stations/station-picker.tsx';
import { yuan } from '#ui/values/amounts.ts';
import { ReasonFormDialog, SubmitDialog } from '#resource/form/submit-dialog.tsx';
import { Notice } from '#ui/notice.tsx';
import { TextField } from '#ui/fields/text-field.tsx';
import { noteLength } from '@waystation/contract/base/limits.ts';
import { Checkbox } from '#ui/fields/checkbox.tsx';
import {
  NoteField,
  ReasonField,
  lengthProblem,
  reasonProblem,
} from '#resource/form/reason-field.tsx';
import { useSubmit } from '#shell/submit/use-submit.ts';

/** The endpoints that show money, which are read again after a change of balances. */
export const moneyShown = [
  expressStatements,
  expressAudit,
  getExpress,
  listStatements,
  statementJournal,
  stationStatementSummary,
  listConfirmations,
  ledgerStanding,
  getStation,
  listStations,
  workplace,
  expressOptions,
  expressStations,
] as const;

/**
 * The dialog in which an administrator adjusts a wallet by a positive or negative amount and gives
 * a reason.
 */
export const AdjustDialog = ({
  of = null,
  onClose,
}: {
  of?: { id: number; name: string } | null;
  onClose: () => void;
}) => {
  const { t } = useTexts();
  const [station, setStation] = useState<{ id: number; name: string } | null>(of);
  const [amount, setAmount] = useState('');
  const [description, setDescription] = useState('');
  const fen = parseYuan(amount);
  const { data: limits } = useCall(moneyLimits, {}, { quiet: true });
  const sending = useSubmit({
    send: async (idempotencyKey) => {
      // Does not use `station!.id`, because the compiler would assume that a station is always
      // present, and would read its id while none is chosen.
      if (station === null || fen === null) throw new Error('sent without a station or an amount');
      const line = await call(
        adjustStation,
        { id: station.id, amount: fen, description: description.trim() },
        { idempotencyKey },
      );
      return line.status === 'pending'
        ? t('statements.adjust_submitted')
        : t('statements.adjusted', { amount: yuan(line.amount) });
    },
    refreshes: moneyShown,
    onDone: onClose,
  });
  const check = () => ({
    station_id: station === null ? t('common.required') : undefined,
    amount:
      amount.trim() === ''
        ? t('common.required')
        : fen === null || fen === 0
          ? t('common.amount_invalid')
          : undefined,
    description: reasonProblem(description, t),
  });
  return (
    <SubmitDialog
      title={t('statements.adjust')}
      ok={t('statements.adjust')}
      sending={sending}
      check={check}
      onClose={onClose}
    >
      <StationPicker
        label={t('common.station')}
        required
        value={station?.id ?? null}
        shown={station?.name}
        onChange={(id, name) => setStation(id === null ? null : { id, name })}
        error={sending.errors['station_id']}
        disabled={of !== null}
      />
      <TextField
        label={t('statements.adjust_amount')}
        name="amount"
        required
        numeric
        prefix="¥"
        value={amount}
        onChange={setAmount}
        error={sending.errors['amount']}
      />
      <ReasonField
        name="description"
        value={description}
        onChange={setDescription}
        error={sending.errors['description']}
      />
      <Notice tone="info">
        {limits
          ? t('statements.adjust_hint', { limit: yuan(limits.given_alone_limit) })
          : t('statements.adjust_hint_bare')}
      </Notice>
    </SubmitDialog>
  );
};

/** Requests a withdrawal from the wallet of the user's own station. */
export const WithdrawDialog = ({
  closed = null,
  onClose,
}: {
  closed?: { id: number; name: string } | null;
  onClose: () => void;
}) => {
  const { t } = useTexts();
  const { station_id } = useUser();
  const title = t(closed ? 'statements.withdraw_closed' : 'statements.withdraw');
  const [amount, setAmount] = useState('');
  const [description, setDescription] = useState('');
  const fen = parseYuan(amount);
  const sending = useSubmit({
    send: async (idempotencyKey) => {
      const input = {
        id: closed?.id ?? station_id!,
        amount: fen!,
        description: description.trim(),
      };
      await call(closed ? withdrawFromClosed : requestWithdrawal, input, { idempotencyKey });
      return t('statements.withdrawn');
    },
    refreshes: moneyShown,
    onDone: onClose,
  });
  const check = () => ({
    amount:
      amount.trim() === ''
        ? t('common.required')
        : fen === null || fen <= 0
          ? t('common.amount_invalid')
          : undefined,
  });
  return (
    <SubmitDialog title={title} ok={title} sending={sending} check={check} onClose={onClose}>
      <TextField
        label={t('common.amount_yuan')}
        name="amount"
        required
        numeric
        prefix="¥"
        autoFocus
        value={amount}
        onChange={setAmount}
        error={sending.errors['amount']}
      />
      <NoteField
        value={description}
        onChange={setDescription}
        error={sending.errors['description']}
      />
      <Notice tone="info">
        {closed
          ? t('statements.withdraw_closed_hint', { station: closed.name })
          : t('statements.withdraw_hint')}
      </Notice>
    </SubmitDialog>
  );
};

export type ReasonRequest = { what: 'decline' | 'reverse'; line: Statement };

/** The dialog that asks for the reason of declining or reversing a transaction. */
export const ReasonDialog = ({
  request: { what, line },
  onClose,
}: {
  request: ReasonRequest;
  onClose: () => void;
}) => {
  const { t } = useTexts();
  const words = t(what === 'decline' ? 'statements.decline' : 'statements.reverse');
  const isTopUp = what === 'reverse' && line.type === 'top_up';
  const [part, setPart] = useState(false);
  return (
    <ReasonFormDialog
      title={words}
      ok={words}
      danger
      send={async (reason, idempotencyKey) => {
        const done =
          what === 'decline'
            ? await call(declineStatement, { id: line.id, reason }, { idempotencyKey })
            : await call(
                reverseStatement,
                { id: line.id, reason, ...(part && { part: 1 as const }) },
                { idempotencyKey },
              );
        return t(
          what === 'decline'
            ? 'statements.declined'
            : done.status === 'pending'
              ? 'statements.adjust_submitted'
              : 'statements.reversed',
        );
      }}
      refreshes={moneyShown}
      below={
        <>
          {isTopUp && (
            <Checkbox checked={part} onChange={setPart}>
              {t('statements.reverse_part')}
            </Checkbox>
          )}
          {what === 'reverse' && (
            <Notice tone="warn">
              {t(isTopUp ? 'statements.reverse_top_up_hint' : 'statements.reverse_hint')}
            </Notice>
          )}
        </>
      }
      onClose={onClose}
    />
  );
};

/**
 * The dialog that resumes a station's payments after the failure of its ledger check has been
 * explained.
 */
export const UnblockDialog = ({
  station,
  onClose,
}: {
  station: { id: number; name: string };
  onClose: () => void;
}) => {
  const { t } = useTexts();
  return (
    <ReasonFormDialog
      title={t('statements.unblock_title', { station: station.name })}
      ok={t('statements.unblock')}
      send={async (reason) => {
        await call(unblockStation, { id: station.id, reason });
        return t('statements.unblocked', { station: station.name });
      }}
      refreshes={moneyShown}
      field={{ label: t('statements.unblock_reason'), lines: 3 }}
      below={<Notice tone="warn">{t('statements.unblock_hint')}</Notice>}
      onClose={onClose}
    />
  );
};

/** The dialog that confirms the amounts of a station's month, as they are displayed. */
export const ConfirmMonthDialog = ({
  month,
  onClose,
}: {
  month: StatementSummary;
  onClose: () => void;
}) => {
  const { t } = useTexts();
  const [note, setNote] = useState('');
  const sending = useSubmit({
    send: async () => {
      await call(confirmStatement, {
        id: month.station_id,
        period: month.period,
        closing: month.closing,
        note: note.trim(),
      });
      return t('statements.confirm_done', { period: month.period });
    },
    refreshes: moneyShown,
    onDone: onClose,
  });
  return (
    <SubmitDialog
      title={t('statements.confirm_title', { period: month.period })}
      ok={t('statements.confirm')}
      sending={sending}
      check={() => ({ note: lengthProblem(note, noteLength, t) })}
      onClose={onClose}
    >
      <p>
        {t('statements.confirm_question', {
          station: month.station_name,
          period: month.period,
          closing: yuan(month.closing),
        })}
      </p>
      <NoteField
        label={t('statements.confirm_note')}
        name="note"
        value={note}
        onChange={setNote}
        error={sending.errors['note']}
      />
      <Notice tone="info">{t('statements.confirm_hint')}</Notice>
    </SubmitDialog>
  );
};
