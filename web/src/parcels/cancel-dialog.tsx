import { isOutcomeOpen } from '@waystation/contract/parcels/express-outcome.ts';
import { stateCode } from '@waystation/contract/parcels/express-states.ts';
import { useState } from 'react';
import {
  cancelExpress,
  expressOptions,
  getExpress,
  listExpresses,
  traceExpress,
} from '@waystation/contract/parcels/express-calls.ts';
import { workplace } from '@waystation/contract/shell/workplace.ts';
import type { ExpressRow } from '@waystation/contract/parcels/express.ts';
import { call } from '#base/call.ts';
import { notify } from '#ui/overlay/notify.tsx';
import { useTexts } from '#base/texts.ts';
import { yuan } from '#ui/values/amounts.ts';
import { SubmitDialog } from '#resource/form/submit-dialog.tsx';
import { CancelReason } from './cancel-reason.tsx';
import styles from './parcel-dialogs.module.css';
import { cancelEffect, numberOf } from './parcel-rules.ts';
import { cancelReasonLength } from '@waystation/contract/base/limits.ts';
import { lengthProblem } from '#resource/form/reason-field.tsx';
import { useSubmit } from '#shell/submit/use-submit.ts';

type Cancellable = Pick<
  ExpressRow,
  'id' | 'delivery_id' | 'order_id' | 'state_code' | 'state_reason' | 'post_amount'
>;

interface Props {
  row: Cancellable;
  onClose: () => void;
  /** Called when the parcel is cancelled. Not called if the carrier must still agree. */
  onCancelled?: () => void;
}

const CancelForm = ({ row, onClose, onCancelled }: Props) => {
  const { t } = useTexts();
  const [reason, setReason] = useState('');
  const effect = cancelEffect(row);
  const sending = useSubmit({
    send: async () => {
      const after = await call(cancelExpress, { id: row.id, reason: reason.trim() });
      const number = numberOf(after);
      if (after.state_code === stateCode.cancelled) {
        onCancelled?.();
        return t('common.cancelling.done', { number });
      }
      const isIntercepted = after.intercepting === 1 || effect === 'intercept';
      const sent = isOutcomeOpen(after)
        ? 'common.cancelling.sent_undecided'
        : 'common.cancelling.sent';
      notify.info(t(isIntercepted ? 'common.cancelling.intercepting' : sent, { number }));
      return null;
    },
    refreshes: [listExpresses, getExpress, traceExpress, workplace, expressOptions],
    onDone: onClose,
  });
  const check = () => ({
    reason:
      reason.trim() === '' ? t('common.required') : lengthProblem(reason, cancelReasonLength, t),
  });
  return (
    <SubmitDialog
      danger
      title={t('common.cancelling.title', { number: numberOf(row) })}
      ok={effect === 'intercept' ? t('common.cancelling.intercept') : t('common.cancelling.do')}
      leave={t('common.cancelling.keep')}
      sending={sending}
      check={check}
      onClose={onClose}
    >
      <p className={styles['effect']}>
        {t(`common.cancelling.effect_${effect}`, { amount: yuan(row.post_amount) })}
      </p>
      <CancelReason
        reason={reason}
        error={sending.errors['reason']}
        disabled={sending.busy}
        onChange={(value) => {
          setReason(value);
          sending.clearErrors();
        }}
      />
    </SubmitDialog>
  );
};

/**
 * Cancels a parcel before pickup, or asks the carrier to bring it back. The effect is explained
 * first.
 */
export const CancelDialog = ({ row, ...rest }: Omit<Props, 'row'> & { row: Cancellable | null }) =>
  row && <CancelForm row={row} {...rest} />;
