import { stateCode } from '@waystation/contract/express-states.ts';
import { useState } from 'react';
import { cancelExpress, expressOptions, getExpress, listExpresses, traceExpress } from '@waystation/contract/express-calls.ts';
import { workplace } from '@waystation/contract/workplace.ts';
import type { ExpressRow } from '@waystation/contract/express.ts';
import { errorWords } from '#base/api-error.ts';
import { call } from '#base/call.ts';
import { notify } from '#ui/overlay/notify.tsx';
import { refresh } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import { yuan } from '#ui/values/amounts.ts';
import { FormDialog } from '#ui/overlay/form-dialog.tsx';
import { TextField } from '#ui/fields/text-field.tsx';
import styles from './parcel-dialogs.module.css';
import { cancelEffect, numberOf } from './parcel-rules.ts';

type Cancellable = Pick<ExpressRow, 'id' | 'delivery_id' | 'order_id' | 'state_code' | 'post_amount'>;

const longest = 30;

const CancelForm = ({ row, onClose }: { row: Cancellable; onClose: () => void }) => {
  const { t, language } = useTexts();
  const [reason, setReason] = useState('');
  const [missing, setMissing] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const effect = cancelEffect(row);
  const choices = [t('common.cancelling.choice_customer'), t('common.cancelling.choice_wrong'), t('common.cancelling.choice_twice')];
  const submit = async (): Promise<void> => {
    const words = reason.trim();
    if (words === '' || [...words].length > longest) return setMissing(true);
    setBusy(true);
    setFailure(null);
    try {
      const after = await call(cancelExpress, { id: row.id, reason: words });
      const number = numberOf(after);
      if (after.state_code === stateCode.cancelled) notify.success(t('common.cancelling.done', { number }));
      else if (after.intercepting === 1 || effect === 'intercept') notify.info(t('common.cancelling.intercepting', { number }));
      else notify.info(t('common.cancelling.asked', { number }));
      onClose();
      await refresh(listExpresses, getExpress, traceExpress, workplace, expressOptions);
    } catch (error) {
      setFailure(errorWords(error, language));
    } finally {
      setBusy(false);
    }
  };
  return (
    <FormDialog
      open
      danger
      title={t('common.cancelling.title', { number: numberOf(row) })}
      ok={effect === 'intercept' ? t('common.cancelling.intercept') : t('common.cancelling.do')}
      leave={t('common.cancelling.keep')}
      busy={busy}
      failure={failure}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <p className={styles['effect']}>{t(`common.cancelling.effect_${effect}`, { amount: yuan(row.post_amount) })}</p>
      <TextField
        label={t('common.cancelling.reason')}
        value={reason}
        onChange={(value) => {
          setReason(value);
          setMissing(false);
        }}
        required
        max={longest}
        autoFocus
        disabled={busy}
        error={missing ? (reason.trim() === '' ? t('common.required') : t('common.too_long', { max: longest })) : undefined}
      />
      <div className={styles['choices']} role="group" aria-label={t('common.cancelling.usual')}>
        {choices.map((choice) => (
          <button key={choice} type="button" onClick={() => setReason(choice)}>
            {choice}
          </button>
        ))}
      </div>
    </FormDialog>
  );
};

/** Cancels before pickup, or asks the carrier for the parcel back; says first what will happen. */
export const CancelDialog = ({ row, onClose }: { row: Cancellable | null; onClose: () => void }) => row && <CancelForm row={row} onClose={onClose} />;
