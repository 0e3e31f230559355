import { useState } from 'react';
import type { ComponentProps, ReactNode } from 'react';
import type { Endpoint } from '@waystation/contract/base/endpoint.ts';
import { useTexts } from '#base/texts.ts';
import { useSubmit } from '#shell/submit/use-submit.ts';
import type { Submit } from '#shell/submit/use-submit.ts';
import { FormDialog } from '#ui/overlay/form-dialog.tsx';
import { ReasonField, reasonProblem } from './reason-field.tsx';

type Look = Omit<ComponentProps<typeof FormDialog>, 'open' | 'busy' | 'failure' | 'onSubmit'>;

interface SubmitDialogProps extends Look {
  sending: Submit;
  /** Returns the problems by field. The form is not sent while there is a problem. */
  check?: () => Readonly<Record<string, string | undefined>>;
}

/** A dialog with a few fields that shows the state of its `useSubmit`. */
export const SubmitDialog = ({ sending, check = () => ({}), ...look }: SubmitDialogProps) => (
  <FormDialog
    open
    {...look}
    busy={sending.busy}
    failure={sending.failure}
    onSubmit={() => void sending.submit(check())}
  />
);

interface ReasonFormDialogProps extends Omit<Look, 'children'> {
  /** Sends the form. Returns the text of the success notice, or null if no notice is shown. */
  send: (reason: string, idempotencyKey: string) => Promise<string | null>;
  refreshes: readonly Endpoint[];
  refreshOnFailure?: boolean;
  /** Other props of the reason field. */
  field?: Pick<ComponentProps<typeof ReasonField>, 'label' | 'hint' | 'lines'>;
  above?: ReactNode;
  below?: ReactNode;
}

/** A dialog that asks for a reason before it sends an action. */
export const ReasonFormDialog = ({
  send,
  refreshes,
  refreshOnFailure = false,
  field,
  above,
  below,
  ...look
}: ReasonFormDialogProps) => {
  const { t } = useTexts();
  const [reason, setReason] = useState('');
  const sending = useSubmit({
    send: (key) => send(reason.trim(), key),
    refreshes,
    refreshOnFailure,
    onDone: look.onClose,
  });
  return (
    <SubmitDialog {...look} sending={sending} check={() => ({ reason: reasonProblem(reason, t) })}>
      {above}
      <ReasonField
        {...field}
        autoFocus
        value={reason}
        onChange={setReason}
        error={sending.errors['reason']}
      />
      {below}
    </SubmitDialog>
  );
};
