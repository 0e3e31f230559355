import { useState } from 'react';
import { limitKey, listKeys } from '@waystation/contract/people/api-key.ts';
import type { ApiKey } from '@waystation/contract/people/api-key.ts';
import { call } from '#base/call.ts';
import { useTexts } from '#base/texts.ts';
import { MoneyField } from '#ui/fields/number-fields.tsx';
import { FormDialog } from '#ui/overlay/form-dialog.tsx';
import { notify } from '#ui/overlay/notify.tsx';
import { Proof } from './proof.tsx';
import { useProved } from './use-proved.ts';
import { useKeyWords } from './words.ts';

/**
 * The dialog that sets the maximum amount that an API key may order for in one day. An empty amount
 * removes this limit.
 */
export const LimitDialog = ({ row, onClose }: { row: ApiKey; onClose: () => void }) => {
  const { t } = useTexts();
  const say = useKeyWords();
  const [amount, setAmount] = useState(row.daily_limit);
  const { sending, missing, proof } = useProved({
    send: async (proved) => {
      await call(limitKey, { id: row.id, daily_limit: amount, ...proved });
      notify.success(say('limited', { name: row.name }));
      onClose();
    },
    refreshes: [listKeys],
    fields: ['daily_limit'],
  });
  return (
    <FormDialog
      open
      title={say('limit_title', { name: row.name })}
      ok={say('save')}
      width={480}
      busy={sending.busy}
      failure={sending.failure}
      onSubmit={() =>
        void sending.submit({
          ...missing,
          daily_limit: Number.isNaN(amount) ? t('lists.unreadable') : undefined,
        })
      }
      onClose={onClose}
    >
      <MoneyField
        label={say('daily_limit')}
        hint={say('daily_limit_hint')}
        name="daily_limit"
        autoFocus
        placeholder={say('no_limit')}
        value={amount}
        error={sending.errors['daily_limit']}
        onChange={(value) => {
          setAmount(value);
          sending.clearErrors('daily_limit');
        }}
      />
      <Proof {...proof} />
    </FormDialog>
  );
};
