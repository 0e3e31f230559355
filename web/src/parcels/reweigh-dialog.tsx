import { reweighNeedsReason, stateCode } from '@waystation/contract/express-states.ts';
import { useState } from 'react';
import { expressOptions, getExpress, listExpresses, priceExpress, reweighExpress } from '@waystation/contract/express-calls.ts';
import type { ExpressRow } from '@waystation/contract/express.ts';
import { parseKg } from '@waystation/contract/weight.ts';
import { errorWords, fieldWords } from '#base/api-error.ts';
import { call } from '#base/call.ts';
import { notify } from '#ui/overlay/notify.tsx';
import { refresh } from '#base/query.ts';
import { useFormat } from '#base/format.ts';
import { useTexts } from '#base/texts.ts';
import { kg, yuan } from '#ui/values/amounts.ts';
import { FormDialog } from '#ui/overlay/form-dialog.tsx';
import { TextField } from '#ui/fields/text-field.tsx';
import styles from './parcel-dialogs.module.css';
import { numberOf } from './parcel-rules.ts';

const WeighForm = ({ row, onClose }: { row: ExpressRow; onClose: () => void }) => {
  const { t, language } = useTexts();
  const format = useFormat();
  const [typed, setTyped] = useState('');
  const [reason, setReason] = useState('');
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const before = row.re_weight ?? row.weight;
  const grams = parseKg(typed);
  const valid = grams !== null && grams > 0;
  const asksWhy = valid && reweighNeedsReason(before, grams);
  const submit = async (): Promise<void> => {
    const problems = {
      ...(!valid && { re_weight: typed.trim() === '' ? t('common.required') : t('common.weight_invalid') }),
      ...(asksWhy && reason.trim() === '' && { reason: t('common.required') }),
    };
    setErrors(problems);
    setFailure(null);
    if (Object.keys(problems).length > 0 || !valid) return;
    setBusy(true);
    try {
      const after = await call(reweighExpress, { id: row.id, re_weight: grams, reason: reason.trim() });
      notify.success(
        after.post_amount === row.post_amount
          ? t('common.weighing.done_same', { weight: kg(grams) })
          : t('common.weighing.done', { weight: kg(grams), before: yuan(row.post_amount), after: yuan(after.post_amount) }),
      );
      onClose();
      await refresh(listExpresses, getExpress, priceExpress, expressOptions);
    } catch (error) {
      setErrors(fieldWords(error, language));
      setFailure(errorWords(error, language));
    } finally {
      setBusy(false);
    }
  };
  const change =
    valid && before > 0
      ? t('common.weighing.change', { before: kg(before), after: kg(grams), share: `${grams > before ? '+' : ''}${format.percent((grams - before) / before)}` })
      : t('common.weighing.before', { before: kg(before) });
  return (
    <FormDialog
      open
      title={t('common.weighing.title', { number: numberOf(row) })}
      ok={t('common.save')}
      busy={busy}
      failure={failure}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <TextField
        label={t('common.weighing.weight')}
        name="re_weight"
        required
        numeric
        suffix="kg"
        value={typed}
        onChange={setTyped}
        error={errors['re_weight']}
        hint={change}
        disabled={busy}
        autoFocus
      />
      <TextField
        label={t('common.weighing.reason')}
        name="reason"
        value={reason}
        onChange={setReason}
        required={asksWhy}
        max={200}
        error={errors['reason']}
        disabled={busy}
        hint={asksWhy ? t('common.weighing.why') : undefined}
        doubtful={asksWhy && reason.trim() === ''}
      />
      <p className={styles['effect']}>{row.state_code === stateCode.awaitingPickup ? t('common.weighing.effect_held') : t('common.weighing.effect_unsent')}</p>
    </FormDialog>
  );
};

/** The station's own weight before pickup; the price and what is held follow. */
export const ReweighDialog = ({ row, onClose }: { row: ExpressRow | null; onClose: () => void }) => row && <WeighForm row={row} onClose={onClose} />;
