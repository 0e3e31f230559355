import { reweighNeedsReason, stateCode } from '@waystation/contract/parcels/express-states.ts';
import { useState } from 'react';
import {
  expressOptions,
  getExpress,
  listExpresses,
  priceExpress,
  reweighExpress,
} from '@waystation/contract/parcels/express-calls.ts';
import type { ExpressRow } from '@waystation/contract/parcels/express.ts';
import { parseKg } from '@waystation/contract/base/weight.ts';
import { call } from '#base/call.ts';
import { useFormat } from '#base/format.ts';
import { useTexts } from '#base/texts.ts';
import { kg, yuan } from '#ui/values/amounts.ts';
import { SubmitDialog } from '#resource/form/submit-dialog.tsx';
import { TextField } from '#ui/fields/text-field.tsx';
import styles from './parcel-dialogs.module.css';
import { numberOf } from './parcel-rules.ts';
import { noteLength } from '@waystation/contract/base/limits.ts';
import { useSubmit } from '#shell/submit/use-submit.ts';

const WeighForm = ({ row, onClose }: { row: ExpressRow; onClose: () => void }) => {
  const { t } = useTexts();
  const format = useFormat();
  const [typed, setTyped] = useState('');
  const [reason, setReason] = useState('');
  const before = row.re_weight ?? row.weight;
  const grams = parseKg(typed);
  const valid = grams !== null && grams > 0;
  const asksWhy = valid && reweighNeedsReason(before, grams);
  const sending = useSubmit({
    send: async () => {
      if (!valid) throw new Error('sent without a weight');
      const after = await call(reweighExpress, {
        id: row.id,
        re_weight: grams,
        reason: reason.trim(),
      });
      if (after.post_amount === row.post_amount)
        return t('common.weighing.done_same', { weight: kg(grams) });
      return t('common.weighing.done', {
        weight: kg(grams),
        before: yuan(row.post_amount),
        after: yuan(after.post_amount),
      });
    },
    refreshes: [listExpresses, getExpress, priceExpress, expressOptions],
    onDone: onClose,
  });
  const check = () => ({
    re_weight: valid
      ? undefined
      : t(typed.trim() === '' ? 'common.required' : 'common.weight_invalid'),
    reason: asksWhy && reason.trim() === '' ? t('common.required') : undefined,
  });
  const change =
    valid && before > 0
      ? t('common.weighing.change', {
          before: kg(before),
          after: kg(grams),
          share: `${grams > before ? '+' : ''}${format.percent((grams - before) / before)}`,
        })
      : t('common.weighing.before', { before: kg(before) });
  return (
    <SubmitDialog
      title={t('common.weighing.title', { number: numberOf(row) })}
      ok={t('common.save')}
      sending={sending}
      check={check}
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
        error={sending.errors['re_weight']}
        hint={change}
        disabled={sending.busy}
        autoFocus
      />
      <TextField
        label={t('common.weighing.reason')}
        name="reason"
        value={reason}
        onChange={setReason}
        required={asksWhy}
        max={noteLength}
        error={sending.errors['reason']}
        disabled={sending.busy}
        hint={asksWhy ? t('common.weighing.why') : undefined}
        doubtful={asksWhy && reason.trim() === ''}
      />
      <p className={styles['effect']}>
        {row.state_code === stateCode.awaitingPickup
          ? t('common.weighing.effect_held')
          : t('common.weighing.effect_unsent')}
      </p>
    </SubmitDialog>
  );
};

/**
 * A dialog that changes the declared weight of a parcel before its pickup. The price and the held
 * amount change with the weight.
 */
export const ReweighDialog = ({ row, onClose }: { row: ExpressRow | null; onClose: () => void }) =>
  row && <WeighForm row={row} onClose={onClose} />;
