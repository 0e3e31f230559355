import { useState } from 'react';
import { mostAmount, noteLength } from '@waystation/contract/base/limits.ts';
import { paymentAccount } from '@waystation/contract/shell/setting-calls.ts';
import { topUpReference, topUpStation } from '@waystation/contract/money/statement.ts';
import type { Statement } from '@waystation/contract/money/statement.ts';
import { call } from '#base/call.ts';
import { useCall } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import { useUser } from '#shell/session/session.ts';
import { useSubmit } from '#shell/submit/use-submit.ts';
import { NoteField, lengthProblem } from '#resource/form/reason-field.tsx';
import { SubmitDialog } from '#resource/form/submit-dialog.tsx';
import { Button } from '#ui/button.tsx';
import { CopyButton } from '#ui/copy-button.tsx';
import { TextField } from '#ui/fields/text-field.tsx';
import { Notice } from '#ui/notice.tsx';
import { Modal } from '#ui/overlay/overlay.tsx';
import { Money } from '#ui/values/money.tsx';
import { yuan } from '#ui/values/amounts.ts';
import { moneyShown } from './money-dialogs.tsx';
import { readTopUp } from './top-up.ts';
import styles from './top-up-dialog.module.css';

/** Shows the bank account for payments, as an administrator wrote it in the settings. */
const Account = () => {
  const { t } = useTexts();
  const { data } = useCall(paymentAccount, {}, { staleTime: 60_000 });
  if (!data) return null;
  if (data.text === '')
    return <Notice tone="warn">{t('statements.payment_account_missing')}</Notice>;
  return (
    <div className={styles['account']}>
      <h3>{t('statements.payment_account')}</h3>
      <p>{data.text}</p>
      <CopyButton text={data.text} label={t('statements.copy_payment_account')} />
    </div>
  );
};

/**
 * Shows the reference that must be written on the bank transfer. An administrator finds the request
 * by it.
 */
const Requested = ({ line, onClose }: { line: Statement; onClose: () => void }) => {
  const { t } = useTexts();
  const reference = topUpReference(line.id);
  return (
    <Modal
      open
      centered
      width={480}
      title={t('statements.top_up_requested')}
      onClose={onClose}
      footer={
        <Button type="primary" onClick={onClose}>
          {t('common.close')}
        </Button>
      }
    >
      <p>{t('statements.top_up_reference_hint')}</p>
      <p className={styles['reference']}>
        {reference} <CopyButton text={reference} label={t('statements.copy_reference')} />
        <Money fen={line.amount} />
      </p>
      <Account />
    </Modal>
  );
};

/**
 * The dialog that requests a top-up of the wallet of the user's own station. Nothing is posted
 * until an administrator approves.
 */
export const TopUpRequestDialog = ({
  amount: missing,
  onClose,
}: {
  amount?: string;
  onClose: () => void;
}) => {
  const { t } = useTexts();
  const { station_id } = useUser();
  const [amount, setAmount] = useState(missing ?? '');
  const [description, setDescription] = useState('');
  const [line, setLine] = useState<Statement | null>(null);
  const reading = readTopUp(amount);
  const wrong = {
    missing: t('common.required'),
    invalid: t('common.amount_invalid'),
    too_big: t('common.amount_too_big', { most: yuan(mostAmount) }),
  };
  const sending = useSubmit({
    send: async (idempotencyKey) => {
      if (station_id === null || 'wrong' in reading)
        throw new Error('sent without a station or an amount');
      setLine(
        await call(
          topUpStation,
          { id: station_id, amount: reading.fen, description: description.trim() },
          { idempotencyKey },
        ),
      );
      return null;
    },
    refreshes: moneyShown,
  });
  if (line) return <Requested line={line} onClose={onClose} />;
  const check = () => ({
    amount: 'wrong' in reading ? wrong[reading.wrong] : undefined,
    description: lengthProblem(description, noteLength, t),
  });
  return (
    <SubmitDialog
      title={t('statements.request_top_up')}
      ok={t('statements.request_top_up')}
      sending={sending}
      check={check}
      onClose={onClose}
    >
      <Account />
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
      <Notice tone="info">{t('statements.request_top_up_hint')}</Notice>
    </SubmitDialog>
  );
};
