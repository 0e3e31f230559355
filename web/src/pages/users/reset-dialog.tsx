import { useId, useState } from 'react';
import { resetPassword } from '@waystation/contract/people/account.ts';
import type { Account } from '@waystation/contract/people/account.ts';
import { errorText } from '#base/error-text.ts';
import { passwordProblem } from '@waystation/contract/people/password.ts';
import { call } from '#base/call.ts';
import { useTexts } from '#base/texts.ts';
import { PasswordRules } from '#shell/session/password-rules.tsx';
import { SelectField } from '#ui/fields/choice-fields.tsx';
import { FormDialog } from '#ui/overlay/form-dialog.tsx';
import { PasswordField } from '#ui/fields/password-field.tsx';
import styles from './users.module.css';
import { useSubmit } from '#shell/submit/use-submit.ts';

interface Props {
  account: Account;
  /** The password if it was generated, null if it was typed. */
  onDone: (password: string | null) => void;
  onClose: () => void;
}

/** Sets a new password for another user: generated, or typed by the rules. */
export const ResetDialog = ({ account, onDone, onClose }: Props) => {
  const { t, language } = useTexts();
  const rules = useId();
  const [how, setHow] = useState<'make' | 'type'>('make');
  const [password, setPassword] = useState('');
  const sending = useSubmit({
    send: async () => {
      onDone(
        (await call(resetPassword, { id: account.id, ...(how === 'type' && { password }) }))
          .password,
      );
      return null;
    },
    fields: ['password'],
  });
  const submit = (): Promise<void> => {
    const problem =
      how === 'type'
        ? passwordProblem(password, account.username, account.station_name ?? '')
        : null;
    return sending.submit({
      password: problem ? errorText(problem.code, problem.params, language) : undefined,
    });
  };
  return (
    <FormDialog
      open
      danger
      title={t('people.reset_title', { name: account.username })}
      ok={t('people.reset')}
      busy={sending.busy}
      failure={sending.failure}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <p className={styles['hint']}>{t('people.reset_hint')}</p>
      <SelectField
        name="how"
        label={t('people.how')}
        value={how}
        options={[
          { value: 'make', label: t('people.make_up') },
          { value: 'type', label: t('people.type_it') },
        ]}
        onChange={(value) => value !== null && setHow(value)}
      />
      {how === 'type' && (
        <>
          <PasswordField
            name="password"
            kind="new-password"
            label={t('people.fresh')}
            words={{ show: t('people.show'), hide: t('people.hide') }}
            required
            rules={rules}
            value={password}
            error={sending.errors['password']}
            onChange={(value) => {
              setPassword(value);
              sending.clearErrors();
            }}
          />
          <PasswordRules
            id={rules}
            password={password}
            username={account.username}
            station={account.station_name}
          />
        </>
      )}
    </FormDialog>
  );
};
