import { useId, useState } from 'react';
import { inviteAccount, resetPassword } from '@waystation/contract/people/account.ts';
import type { Account } from '@waystation/contract/people/account.ts';
import { mailAddressLength } from '@waystation/contract/base/limits.ts';
import { errorText } from '#base/error-text.ts';
import { passwordProblem } from '@waystation/contract/people/password.ts';
import { call } from '#base/call.ts';
import { useTexts } from '#base/texts.ts';
import { useAbout } from '#base/use-facts.ts';
import { mailOf } from '#resource/accounts/invitation-mail.ts';
import type { IssuedPassword } from '#resource/accounts/issued-password.tsx';
import { PasswordRules } from '#shell/session/password-rules.tsx';
import { SelectField } from '#ui/fields/choice-fields.tsx';
import { FormDialog } from '#ui/overlay/form-dialog.tsx';
import { PasswordField } from '#ui/fields/password-field.tsx';
import { TextField } from '#ui/fields/text-field.tsx';
import styles from './users.module.css';
import { useSubmit } from '#shell/submit/use-submit.ts';

type How = 'make' | 'type' | 'link';

interface Props {
  account: Account;
  /** The method of resetting that is selected when the dialog opens. */
  how: How;
  /**
   * Called after the password was reset. The argument is the generated password or link, or null if
   * the user typed a password.
   */
  onDone: (issued: IssuedPassword | null) => void;
  onClose: () => void;
}

/**
 * The dialog that gives another user a new password. The password is generated, typed in the
 * dialog, or chosen by the user after opening a link.
 */
export const ResetDialog = ({ account, how: first, onDone, onClose }: Props) => {
  const { t, language } = useTexts();
  const about = useAbout();
  const rules = useId();
  const [how, setHow] = useState<How>(first);
  const [mail, setMail] = useState('');
  const [password, setPassword] = useState('');
  const sending = useSubmit({
    send: async () => {
      const { id, username } = account;
      if (how === 'link') {
        const { invitation } = await call(inviteAccount, { id, ...mailOf(about, mail) });
        onDone({ username, invitation });
        return null;
      }
      const issued = await call(resetPassword, { id, ...(how === 'type' && { password }) });
      onDone(issued.password === null ? null : { username, password: issued.password });
      return null;
    },
    fields: ['password', 'mail'],
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
      title={t(how === 'link' ? 'people.link_title' : 'people.reset_title', {
        name: account.username,
      })}
      ok={t(how === 'link' ? 'people.by_link' : 'people.reset')}
      busy={sending.busy}
      failure={sending.failure}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <p className={styles['hint']}>
        {t(how === 'link' ? 'people.reset_link_hint' : 'people.reset_hint')}
      </p>
      <SelectField
        name="how"
        label={t('people.how')}
        value={how}
        options={[
          { value: 'make', label: t('people.make_up') },
          { value: 'type', label: t('people.type_it') },
          { value: 'link', label: t('people.by_link') },
        ]}
        onChange={(value) => value !== null && setHow(value)}
      />
      {how === 'link' && about?.mail && (
        <TextField
          name="mail"
          label={t('people.mail')}
          hint={t('people.mail_hint')}
          max={mailAddressLength}
          value={mail}
          error={sending.errors['mail']}
          onChange={(value) => {
            setMail(value);
            sending.clearErrors();
          }}
        />
      )}
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
