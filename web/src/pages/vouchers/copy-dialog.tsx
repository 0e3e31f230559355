import { useState } from 'react';
import { copyVoucher } from '@waystation/contract/voucher.ts';
import type { Voucher, VoucherRow } from '@waystation/contract/voucher.ts';
import { errorWords, fieldWords } from '#base/api-error.ts';
import { call } from '#base/call.ts';
import { useTexts } from '#base/texts.ts';
import { Combobox } from '#ui/fields/combobox.tsx';
import { FormDialog } from '#ui/overlay/form-dialog.tsx';
import { TextField } from '#ui/fields/text-field.tsx';
import { usePromiseOptions } from './voucher-form.tsx';

/** A new template with the same draft, for the same delivery time or another of its carrier. */
export const CopyDialog = ({ voucher, onCopied, onClose }: { voucher: VoucherRow; onCopied: (copy: Voucher) => void; onClose: () => void }) => {
  const { t, language } = useTexts();
  const [name, setName] = useState(t('vouchers.copy_name', { name: voucher.name }));
  const [promise, setPromise] = useState(voucher.promise_id);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const promises = usePromiseOptions(voucher.provider);
  const fields = error ? fieldWords(error, language) : {};
  const copy = async (): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      onCopied(await call(copyVoucher, { id: voucher.id, name, ...(promise !== voucher.promise_id && { promise_id: promise }) }));
    } catch (failed) {
      setError(failed);
      setBusy(false);
    }
  };
  return (
    <FormDialog
      open
      title={t('vouchers.copy_title', { name: voucher.name })}
      ok={t('vouchers.copy')}
      busy={busy}
      failure={error && Object.keys(fields).length === 0 ? errorWords(error, language) : null}
      onSubmit={() => void copy()}
      onClose={onClose}
    >
      <TextField label={t('vouchers.name')} required max={50} value={name} onChange={setName} error={fields['name']} autoFocus />
      <Combobox
        label={t('vouchers.promise')}
        value={promise}
        options={promises}
        shown={voucher.promise_name}
        onChange={setPromise}
        error={fields['promise_id']}
      />
    </FormDialog>
  );
};
