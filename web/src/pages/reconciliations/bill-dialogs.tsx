import { useState } from 'react';
import {
  discardReconciliation,
  listBillRows,
  payCarrier,
  setTolerances,
} from '@waystation/contract/money/reconciliation.ts';
import type { Reconciliation } from '@waystation/contract/money/reconciliation.ts';
import { yuanText } from '@waystation/contract/money/money.ts';
import { call } from '#base/call.ts';
import { useFormat } from '#base/format.ts';
import { useTexts } from '#base/texts.ts';
import { yuan } from '#ui/values/amounts.ts';
import { MoneyField, WeightField } from '#ui/fields/number-fields.tsx';
import { ReasonFormDialog, SubmitDialog } from '#resource/form/submit-dialog.tsx';
import { Notice } from '#ui/notice.tsx';
import { billsShown, useBillWords } from './words.ts';
import { noteLength } from '@waystation/contract/base/limits.ts';
import { NoteField, lengthProblem } from '#resource/form/reason-field.tsx';
import { useSubmit } from '#shell/submit/use-submit.ts';

interface Props {
  bill: Reconciliation;
  onClose: () => void;
}

/** The dialog that discards a bill whose file was the wrong one. */
export const DiscardDialog = ({ bill, onClose }: Props) => {
  const { t } = useTexts();
  const words = useBillWords();
  return (
    <ReasonFormDialog
      title={t('reconciliations.discard_title', { name: words.name(bill) })}
      ok={t('reconciliations.discard')}
      danger
      send={async (reason) => {
        await call(discardReconciliation, { id: bill.id, version: bill.version, reason });
        return t('reconciliations.discard_done');
      }}
      refreshes={billsShown}
      refreshOnFailure
      field={{ hint: t('reconciliations.reason_hint') }}
      above={<Notice tone="info">{t('reconciliations.discard_hint')}</Notice>}
      onClose={onClose}
    />
  );
};

/** The dialog that sets the limits below which a difference counts as within tolerance. */
export const ToleranceDialog = ({ bill, onClose }: Props) => {
  const { t } = useTexts();
  const format = useFormat();
  const [weight, setWeight] = useState<number | null>(bill.weight_tolerance);
  const [amount, setAmount] = useState<number | null>(bill.amount_tolerance);
  const problem = (value: number | null): string | undefined =>
    value === null || Number.isNaN(value) || value < 0
      ? t('reconciliations.tolerance_invalid')
      : undefined;
  const sending = useSubmit({
    send: async () => {
      await call(setTolerances, {
        id: bill.id,
        version: bill.version,
        weight_tolerance: weight!,
        amount_tolerance: amount!,
      });
      const { total } = await call(listBillRows, {
        id: bill.id,
        within_tolerance: 1,
        decision: 'open',
        page_size: 1,
      });
      return t('reconciliations.tolerances_saved', { count: format.number(total ?? 0) });
    },
    refreshes: billsShown,
    refreshOnFailure: true,
    onDone: onClose,
  });
  return (
    <SubmitDialog
      title={t('reconciliations.tolerances')}
      ok={t('common.save')}
      sending={sending}
      check={() => ({ weight_tolerance: problem(weight), amount_tolerance: problem(amount) })}
      onClose={onClose}
    >
      <WeightField
        label={t('reconciliations.weight_tolerance')}
        name="weight_tolerance"
        autoFocus
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
      <Notice tone="info">{t('reconciliations.tolerance_hint')}</Notice>
    </SubmitDialog>
  );
};

/**
 * The dialog that records a payment to the carrier. The payment may not exceed the amount that is
 * still unpaid.
 */
export const PayDialog = ({ bill, onClose }: Props) => {
  const { t } = useTexts();
  const unpaid = bill.owed_amount - bill.paid_amount;
  const [amount, setAmount] = useState<number | null>(unpaid);
  const [description, setDescription] = useState('');
  const sending = useSubmit({
    send: async (idempotencyKey) => {
      await call(
        payCarrier,
        { id: bill.id, amount: amount!, description: description.trim() },
        { idempotencyKey },
      );
      return t('reconciliations.pay_done', { amount: yuan(amount!) });
    },
    refreshes: billsShown,
    refreshOnFailure: true,
    onDone: onClose,
  });
  const amountProblem = (): string | undefined => {
    if (amount === null || Number.isNaN(amount) || amount <= 0) return t('common.amount_invalid');
    return amount > unpaid ? t('reconciliations.pay_more', { most: yuan(unpaid) }) : undefined;
  };
  return (
    <SubmitDialog
      title={t('reconciliations.pay_title')}
      ok={t('reconciliations.pay')}
      sending={sending}
      check={() => ({
        amount: amountProblem(),
        description: lengthProblem(description, noteLength, t),
      })}
      onClose={onClose}
    >
      <Notice tone="info">{t('reconciliations.pay_owed', { amount: yuan(unpaid) })}</Notice>
      <MoneyField
        label={t('reconciliations.pay_amount')}
        name="amount"
        required
        autoFocus
        value={amount}
        onChange={setAmount}
        placeholder={yuanText(unpaid)}
        error={sending.errors['amount']}
      />
      <NoteField
        value={description}
        onChange={setDescription}
        placeholder={t('reconciliations.pay_description')}
        error={sending.errors['description']}
      />
    </SubmitDialog>
  );
};
