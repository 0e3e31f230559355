import { useState } from 'react';
import { mostBillBytes } from '@waystation/contract/base/limits.ts';
import { createReconciliation, listPeriods } from '@waystation/contract/money/reconciliation.ts';
import type { Provider } from '@waystation/contract/network/provider.ts';
import { call } from '#base/call.ts';
import { notify } from '#ui/overlay/notify.tsx';
import { refresh, useCall } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import { useSubmit } from '#shell/submit/use-submit.ts';
import { SelectField } from '#ui/fields/choice-fields.tsx';
import { FileDrop } from '#ui/fields/file-drop.tsx';
import { MoneyField, WeightField } from '#ui/fields/number-fields.tsx';
import { monthBefore, monthOf } from '#ui/fields/days.ts';
import { SubmitDialog } from '#resource/form/submit-dialog.tsx';
import styles from './reconciliations.module.css';
import { billsShown, useBillWords } from './words.ts';

/** The tolerance that is proposed for a bill, in grams and fen. */
export const usualTolerance = { weight: 500, amount: 10 } as const;

/**
 * The months for which a bill may be uploaded, latest first: the present month and every earlier
 * month of the ledger. If the month is closed, the bill is posted to the open month.
 */
const useMonths = (now: string): { value: string; label: string; closed: boolean }[] => {
  const { t } = useTexts();
  const { data } = useCall(listPeriods, {}, { quiet: true });
  const closed = new Set(
    data?.items.filter(({ status }) => status === 'closed').map(({ period }) => period),
  );
  const months = new Set([now, ...(data?.items.map(({ period }) => period) ?? [])]);
  return [...months]
    .filter((month) => month <= now)
    .toSorted()
    .toReversed()
    .map((month) => ({
      value: month,
      label: closed.has(month) ? t('reconciliations.closed_month', { month }) : month,
      closed: closed.has(month),
    }));
};

interface Props {
  /** Called with the bill's id as soon as the server has begun to read the file. */
  onDone: (id: number) => void;
  onClose: () => void;
}

/** The dialog that uploads the carrier's bill of a month. */
export const UploadDialog = ({ onDone, onClose }: Props) => {
  const { t } = useTexts();
  const { carriers } = useBillWords();
  const [now] = useState(() => monthOf(Date.now()));
  const months = useMonths(now);
  const [file, setFile] = useState<File | null>(null);
  const [provider, setProvider] = useState<Provider | null>(carriers[0]?.value ?? null);
  const [chosen, setChosen] = useState<string | null>(null);
  const [weight, setWeight] = useState<number | null>(usualTolerance.weight);
  const [amount, setAmount] = useState<number | null>(usualTolerance.amount);
  const last = monthBefore(now);
  const open = months.filter(({ closed }) => !closed);
  const period = chosen ?? (open.find(({ value }) => value === last) ?? open[0])?.value ?? null;
  const fileProblem = (candidate: File | null): string | undefined => {
    if (candidate === null) return t('common.required');
    if (!/\.(xlsx|csv)$/i.test(candidate.name)) return t('reconciliations.wrong_kind');
    if (candidate.size === 0) return t('reconciliations.empty_file');
    return candidate.size > mostBillBytes ? t('reconciliations.too_large') : undefined;
  };
  const toleranceProblem = (value: number | null): string | undefined =>
    value === null || Number.isNaN(value) || value < 0
      ? t('reconciliations.tolerance_invalid')
      : undefined;
  const check = () => ({
    file: fileProblem(file),
    provider: provider === null ? t('common.required') : undefined,
    period: period === null ? t('common.required') : undefined,
    weight_tolerance: toleranceProblem(weight),
    amount_tolerance: toleranceProblem(amount),
  });
  const sending = useSubmit({
    send: async () => {
      const form = new FormData();
      const values = {
        period: period!,
        provider: provider!,
        weight_tolerance: String(weight),
        amount_tolerance: String(amount),
      };
      for (const [name, value] of Object.entries(values)) form.set(name, value);
      form.set('file', file!);
      const since = Date.now();
      const bill = await call(createReconciliation, form);
      if (Date.parse(bill.created_at) < since - 60_000) notify.info(t('reconciliations.same_file'));
      await refresh(...billsShown);
      onDone(bill.id);
      return null;
    },
  });
  return (
    <SubmitDialog
      title={t('reconciliations.new')}
      ok={t(sending.busy ? 'reconciliations.uploading' : 'reconciliations.upload')}
      sending={sending}
      check={check}
      onClose={onClose}
    >
      <FileDrop
        file={file}
        accept=".xlsx,.csv"
        hint={t('reconciliations.drop_hint')}
        error={sending.errors['file'] ?? (file === null ? undefined : fileProblem(file))}
        onFile={(next) => {
          sending.clearErrors();
          setFile(next);
        }}
      />
      <div className={styles['pair']}>
        <SelectField
          label={t('common.carrier')}
          name="provider"
          required
          value={provider}
          options={carriers}
          onChange={setProvider}
          error={sending.errors['provider']}
        />
        <SelectField
          label={t('reconciliations.month')}
          name="period"
          required
          value={period}
          options={months}
          onChange={setChosen}
          error={sending.errors['period']}
        />
        <WeightField
          label={t('reconciliations.weight_tolerance')}
          name="weight_tolerance"
          value={weight}
          onChange={setWeight}
          error={sending.errors['weight_tolerance']}
        />
        <MoneyField
          label={t('reconciliations.amount_tolerance')}
          name="amount_tolerance"
          value={amount}
          onChange={setAmount}
          error={sending.errors['amount_tolerance']}
        />
      </div>
      <p className={styles['quiet']}>{t('reconciliations.tolerance_hint')}</p>
    </SubmitDialog>
  );
};
