import { useState } from 'react';
import {
  expressOptions,
  expressStations,
  getExpress,
  listExpresses,
} from '@waystation/contract/parcels/express-calls.ts';
import { workplace } from '@waystation/contract/shell/workplace.ts';
import { yuanText } from '@waystation/contract/money/money.ts';
import { moneyLimits } from '@waystation/contract/shell/setting-calls.ts';
import { topUpStation } from '@waystation/contract/money/statement.ts';
import { call } from '#base/call.ts';
import { useCall } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import { yuan } from '#ui/values/amounts.ts';
import { SubmitDialog } from '#resource/form/submit-dialog.tsx';
import { Money } from '#ui/values/money.tsx';
import { Notice } from '#ui/notice.tsx';
import { TextField } from '#ui/fields/text-field.tsx';
import { StationPicker } from '#resource/stations/station-picker.tsx';
import { readTopUp } from './top-up.ts';
import styles from './top-up-dialog.module.css';
import { mostAmount, noteLength } from '@waystation/contract/base/limits.ts';
import { NoteField, lengthProblem } from '#resource/form/reason-field.tsx';
import { useSubmit } from '#shell/submit/use-submit.ts';

export interface TopUp {
  station: { id: number; name: string } | null;
  /** The missing amount in fen, which the field suggests. */
  amount?: number;
  /** The number of earlier parcels on hold that the amount must release before this parcel. */
  ahead?: number;
}

/** Shows the balance before and after the top-up while the amount is typed. */
const Balance = ({ station_id, fen }: { station_id: number; fen: number }) => {
  const { t } = useTexts();
  const { data } = useCall(expressOptions, { station_id }, { quiet: true, staleTime: 0 });
  return (
    <dl className={styles['balance']}>
      <dt>{t('common.available_now')}</dt>
      <dd>
        <Money fen={data?.station.available} />
      </dd>
      <dt>{t('common.available_after')}</dt>
      <dd>
        <strong>
          <Money fen={data && data.station.available + fen} />
        </strong>
      </dd>
    </dl>
  );
};

const TopUpForm = ({ request, onClose }: { request: TopUp; onClose: () => void }) => {
  const { t } = useTexts();
  const [station, setStation] = useState(request.station);
  const [amount, setAmount] = useState(
    request.amount === undefined ? '' : yuanText(request.amount),
  );
  const [description, setDescription] = useState('');
  const { data: limits } = useCall(moneyLimits, {}, { quiet: true });
  const reading = readTopUp(amount);
  const wrong = {
    missing: t('common.required'),
    invalid: t('common.amount_invalid'),
    too_big: t('common.amount_too_big', { most: yuan(mostAmount) }),
  };
  const sending = useSubmit({
    send: async (idempotencyKey) => {
      if (station === null || 'wrong' in reading)
        throw new Error('sent without a station or an amount');
      const line = await call(
        topUpStation,
        { id: station.id, amount: reading.fen, description: description.trim() },
        { idempotencyKey },
      );
      if (line.status === 'pending') return t('statements.adjust_submitted');
      return t('common.topped_up', {
        station: station.name,
        amount: yuan(line.amount),
        available: line.available === null ? '—' : yuan(line.available),
      });
    },
    refreshes: [expressOptions, expressStations, listExpresses, getExpress, workplace],
    onDone: onClose,
  });
  const check = () => ({
    station_id: station === null ? t('common.required') : undefined,
    amount: 'wrong' in reading ? wrong[reading.wrong] : undefined,
    description: lengthProblem(description, noteLength, t),
  });
  return (
    <SubmitDialog
      title={t('common.top_up')}
      ok={
        'fen' in reading ? t('common.top_up_by', { amount: yuan(reading.fen) }) : t('common.top_up')
      }
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
        disabled={request.station !== null || sending.busy}
      />
      <TextField
        label={t('common.amount_yuan')}
        name="amount"
        required
        numeric
        prefix="¥"
        value={amount}
        onChange={setAmount}
        error={sending.errors['amount']}
        disabled={sending.busy}
        autoFocus
      />
      <NoteField
        value={description}
        onChange={setDescription}
        error={sending.errors['description']}
        disabled={sending.busy}
        placeholder={t('common.top_up_description')}
      />
      {request.ahead !== undefined && request.ahead > 0 && (
        <Notice tone="info">{t('common.top_up_ahead', { count: request.ahead })}</Notice>
      )}
      {limits && (
        <Notice tone="info">
          {t('statements.top_up_hint', {
            limit: yuan(limits.top_up_limit),
            day_limit: yuan(limits.top_up_day_limit),
          })}
        </Notice>
      )}
      {station && <Balance station_id={station.id} fen={'fen' in reading ? reading.fen : 0} />}
    </SubmitDialog>
  );
};

/**
 * The dialog that tops up a station's wallet. If the new balance covers parcels on hold, the server
 * orders these parcels.
 */
export const TopUpDialog = ({ request, onClose }: { request: TopUp | null; onClose: () => void }) =>
  request && <TopUpForm request={request} onClose={onClose} />;
