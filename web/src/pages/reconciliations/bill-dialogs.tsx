import { useState } from 'react';
import { discardReconciliation, listBillRows, payCarrier, setTolerances } from '@waystation/contract/reconciliation.ts';
import type { Reconciliation } from '@waystation/contract/reconciliation.ts';
import { yuanText } from '@waystation/contract/money.ts';
import { errorWords, fieldWords } from '#base/api-error.ts';
import { call, newIdempotencyKey } from '#base/call.ts';
import { useFormat } from '#base/format.ts';
import { notify } from '#ui/overlay/notify.tsx';
import { refresh } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import { yuan } from '#ui/values/amounts.ts';
import { MoneyField, WeightField } from '#ui/fields/number-fields.tsx';
import { FormDialog } from '#ui/overlay/form-dialog.tsx';
import { Notice } from '#ui/notice.tsx';
import { TextField } from '#ui/fields/text-field.tsx';
import { billsShown, useBillWords } from './words.ts';

interface Props {
  bill: Reconciliation;
  onClose: () => void;
}

type Problems = Record<string, string | undefined>;

/** A dialog's way to the server: its problems, busy, failure, and closing once it is done. */
export const useSending = (send: () => Promise<string | null>, onClose: () => void) => {
  const { language } = useTexts();
  const [errors, setErrors] = useState<Problems>({});
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const submit = async (problems: Problems): Promise<void> => {
    setErrors(problems);
    setFailure(null);
    if (Object.values(problems).some((words) => words !== undefined)) return;
    setBusy(true);
    try {
      const said = await send();
      if (said !== null) notify.success(said);
      onClose();
    } catch (error) {
      setErrors(fieldWords(error, language));
      setFailure(errorWords(error, language));
    } finally {
      setBusy(false);
      await refresh(...billsShown);
    }
  };
  return { errors, failure, busy, submit };
};

export const useReasonProblem = (): ((reason: string) => string | undefined) => {
  const { t } = useTexts();
  return (reason) => {
    const length = [...reason.trim()].length;
    return length < 2 ? t('common.required') : length > 200 ? t('common.too_long', { max: 200 }) : undefined;
  };
};

/** Sets a wrong file aside. */
export const DiscardDialog = ({ bill, onClose }: Props) => {
  const { t } = useTexts();
  const words = useBillWords();
  const reasonProblem = useReasonProblem();
  const [reason, setReason] = useState('');
  const sending = useSending(async () => {
    await call(discardReconciliation, { id: bill.id, version: bill.version, reason: reason.trim() });
    return t('reconciliations.discard_done');
  }, onClose);
  return (
    <FormDialog
      open
      title={t('reconciliations.discard_title', { name: words.name(bill) })}
      ok={t('reconciliations.discard')}
      danger
      busy={sending.busy}
      failure={sending.failure}
      onSubmit={() => void sending.submit({ reason: reasonProblem(reason) })}
      onClose={onClose}
    >
      <Notice tone="info">{t('reconciliations.discard_hint')}</Notice>
      <TextField
        label={t('reconciliations.reason')}
        name="reason"
        required
        autoFocus
        lines={2}
        max={200}
        value={reason}
        onChange={setReason}
        error={sending.errors['reason']}
        hint={t('reconciliations.reason_hint')}
      />
    </FormDialog>
  );
};

/** Up to which difference lines count as within tolerance. */
export const ToleranceDialog = ({ bill, onClose }: Props) => {
  const { t } = useTexts();
  const format = useFormat();
  const [weight, setWeight] = useState<number | null>(bill.weight_tolerance);
  const [amount, setAmount] = useState<number | null>(bill.amount_tolerance);
  const problem = (value: number | null): string | undefined =>
    value === null || Number.isNaN(value) || value < 0 ? t('reconciliations.tolerance_invalid') : undefined;
  const sending = useSending(async () => {
    await call(setTolerances, { id: bill.id, version: bill.version, weight_tolerance: weight!, amount_tolerance: amount! });
    const { total } = await call(listBillRows, { id: bill.id, within_tolerance: 1, decision: 'open', page_size: 1 });
    return t('reconciliations.tolerances_saved', { count: format.number(total) });
  }, onClose);
  return (
    <FormDialog
      open
      title={t('reconciliations.tolerances')}
      ok={t('common.save')}
      busy={sending.busy}
      failure={sending.failure}
      onSubmit={() => void sending.submit({ weight_tolerance: problem(weight), amount_tolerance: problem(amount) })}
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
    </FormDialog>
  );
};

/** The carrier was paid: at most what is owed. */
export const PayDialog = ({ bill, onClose }: Props) => {
  const { t } = useTexts();
  const [key] = useState(newIdempotencyKey);
  const unpaid = bill.owed_amount - bill.paid_amount;
  const [amount, setAmount] = useState<number | null>(unpaid);
  const [description, setDescription] = useState('');
  const sending = useSending(async () => {
    await call(payCarrier, { id: bill.id, amount: amount!, description: description.trim() }, { idempotencyKey: key });
    return t('reconciliations.pay_done', { amount: yuan(amount!) });
  }, onClose);
  const amountProblem = (): string | undefined => {
    if (amount === null || Number.isNaN(amount) || amount <= 0) return t('common.amount_invalid');
    return amount > unpaid ? t('reconciliations.pay_more', { most: yuan(unpaid) }) : undefined;
  };
  return (
    <FormDialog
      open
      title={t('reconciliations.pay_title')}
      ok={t('reconciliations.pay')}
      busy={sending.busy}
      failure={sending.failure}
      onSubmit={() =>
        void sending.submit({
          amount: amountProblem(),
          description: [...description].length > 200 ? t('common.too_long', { max: 200 }) : undefined,
        })
      }
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
      <TextField
        label={t('common.description')}
        name="description"
        lines={2}
        max={200}
        value={description}
        onChange={setDescription}
        placeholder={t('reconciliations.pay_description')}
        error={sending.errors['description']}
      />
    </FormDialog>
  );
};
