import { useState } from 'react';
import { copyVoucher } from '@waystation/contract/money/voucher.ts';
import type { Voucher, VoucherRow } from '@waystation/contract/money/voucher.ts';
import { call } from '#base/call.ts';
import { useTexts } from '#base/texts.ts';
import { Combobox } from '#ui/fields/combobox.tsx';
import { SubmitDialog } from '#resource/form/submit-dialog.tsx';
import { TextField } from '#ui/fields/text-field.tsx';
import { usePromiseOptions } from './voucher-form.tsx';
import { nameLength } from '@waystation/contract/base/limits.ts';
import { useSubmit } from '#shell/submit/use-submit.ts';

/**
 * Creates a new template with a copy of the draft, for the same or another delivery time of the
 * carrier.
 */
export const CopyDialog = ({
  voucher,
  onCopied,
  onClose,
}: {
  voucher: VoucherRow;
  onCopied: (copy: Voucher) => void;
  onClose: () => void;
}) => {
  const { t } = useTexts();
  const [name, setName] = useState(t('vouchers.copy_name', { name: voucher.name }));
  const [promise, setPromise] = useState(voucher.promise_id);
  const promises = usePromiseOptions(voucher.provider);
  const sending = useSubmit({
    send: async () => {
      onCopied(
        await call(copyVoucher, {
          id: voucher.id,
          name,
          ...(promise !== voucher.promise_id && { promise_id: promise }),
        }),
      );
      return null;
    },
    fields: ['name', 'promise_id'],
  });
  return (
    <SubmitDialog
      title={t('vouchers.copy_title', { name: voucher.name })}
      ok={t('vouchers.copy')}
      sending={sending}
      onClose={onClose}
    >
      <TextField
        label={t('vouchers.name')}
        required
        max={nameLength}
        value={name}
        onChange={setName}
        error={sending.errors['name']}
        autoFocus
      />
      <Combobox
        label={t('vouchers.promise')}
        value={promise}
        options={promises}
        shown={voucher.promise_name}
        onChange={setPromise}
        error={sending.errors['promise_id']}
      />
    </SubmitDialog>
  );
};
