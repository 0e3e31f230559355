import { useState } from 'react';
import type { OutputOf } from '@waystation/contract/base/endpoint.ts';
import { parseYuan } from '@waystation/contract/money/money.ts';
import { payOutExpress, refundExpress } from '@waystation/contract/money/statement.ts';
import type { expressStatements } from '@waystation/contract/parcels/express-calls.ts';
import type { Express } from '@waystation/contract/parcels/express.ts';
import { call } from '#base/call.ts';
import { useTexts } from '#base/texts.ts';
import { moneyShown } from '#money/money-dialogs.tsx';
import { ReasonField, reasonProblem } from '#resource/form/reason-field.tsx';
import { useSubmit } from '#shell/submit/use-submit.ts';
import { yuan } from '#ui/values/amounts.ts';
import { Facts } from '#ui/facts.tsx';
import { SubmitDialog } from '#resource/form/submit-dialog.tsx';
import { Money } from '#ui/values/money.tsx';
import { Notice } from '#ui/notice.tsx';
import { TextField } from '#ui/fields/text-field.tsx';

export type Give = 'refund' | 'payout';
export type Left = NonNullable<OutputOf<typeof expressStatements>['left']>;

/** The amount that may still be refunded or paid out. */
export const leftOf = (what: Give, left: Left): number =>
  what === 'refund' ? left.refundable_amount : left.payout_left_amount;

/**
 * The dialog that refunds a part of the price, or pays for a lost or damaged parcel. The amount
 * cannot exceed the amount that is left. An amount above the user's daily limit needs the approval
 * of a second person.
 */
export const GiveDialog = ({
  what,
  parcel,
  left,
  onClose,
}: {
  what: Give;
  parcel: Express;
  left: Left;
  onClose: () => void;
}) => {
  const { t } = useTexts();
  const [amount, setAmount] = useState('');
  const [description, setDescription] = useState('');
  const fen = parseYuan(amount);
  const most = leftOf(what, left);
  const sending = useSubmit({
    send: async (idempotencyKey) => {
      const line = await call(
        what === 'refund' ? refundExpress : payOutExpress,
        { id: parcel.id, amount: fen!, description: description.trim() },
        { idempotencyKey },
      );
      return t(line.status === 'pending' ? 'parcel.give.submitted' : `parcel.give.${what}_done`, {
        amount: yuan(fen!),
      });
    },
    refreshes: moneyShown,
    onDone: onClose,
  });
  const amountProblem = (): string | undefined => {
    if (amount.trim() === '') return t('common.required');
    if (fen === null || fen <= 0) return t('common.amount_invalid');
    return fen > most ? t('parcel.give.too_much', { most: yuan(most) }) : undefined;
  };
  const title = t(`parcel.give.${what}`);
  return (
    <SubmitDialog
      title={title}
      ok={title}
      sending={sending}
      check={() => ({ amount: amountProblem(), description: reasonProblem(description, t) })}
      onClose={onClose}
    >
      <Facts
        facts={[
          { key: 'most', label: t(`parcel.give.${what}_left`), value: <Money fen={most} /> },
          ...(what === 'payout'
            ? [
                {
                  key: 'limit',
                  label: t('parcel.give.payout_limit'),
                  value: <Money fen={left.payout_limit_amount} />,
                },
              ]
            : []),
          {
            key: 'alone',
            label: t('parcel.give.alone'),
            value: <Money fen={left.alone_left_amount} />,
          },
        ]}
      />
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
      <ReasonField
        name="description"
        value={description}
        onChange={setDescription}
        error={sending.errors['description']}
      />
      {fen !== null && fen > left.alone_left_amount && fen <= most && (
        <Notice tone="warn">
          {t('parcel.give.second_person', { amount: yuan(left.alone_left_amount) })}
        </Notice>
      )}
    </SubmitDialog>
  );
};
