import { useId, useState } from 'react';
import type { ReactNode } from 'react';
import { passwordProblem } from '@waystation/contract/people/password.ts';
import { changePassword, personalSessions } from '@waystation/contract/people/profile.ts';
import { errorText } from '#base/error-text.ts';
import { call } from '#base/call.ts';
import { useSubmit } from '#shell/submit/use-submit.ts';
import { useSession, useUser } from './session.ts';
import { useTexts } from '#base/texts.ts';
import { Button } from '#ui/button.tsx';
import { Notice } from '#ui/notice.tsx';
import { PasswordField } from '#ui/fields/password-field.tsx';
import primitives from '#ui/primitives.module.css';
import { PasswordRules } from './password-rules.tsx';
import styles from './password.module.css';

const nothing = { current: '', password: '', again: '' };
type Field = keyof typeof nothing;

interface Props {
  /** The text of the button. */
  ok: string;
  /** Called with true if the form contains text that was not sent, and with false otherwise. */
  onDirty?: (dirty: boolean) => void;
  /** An element to show beside the button. */
  beside?: ReactNode;
  autoFocus?: boolean;
}

/**
 * The form in which users change their password. It has fields for the present password, the new
 * password and its repetition, and shows the password rules. After the change, the session no
 * longer requires a new password.
 */
export const ChangePassword = ({ ok, onDirty, beside, autoFocus = false }: Props) => {
  const { t, language } = useTexts();
  const { username, station_name } = useUser();
  const rules = useId();
  const [values, setValues] = useState(nothing);
  const sending = useSubmit({
    send: async () => {
      const user = await call(changePassword, {
        current: values.current,
        password: values.password,
      });
      setValues(nothing);
      onDirty?.(false);
      useSession.setState({ user });
      return t('people.changed');
    },
    refreshes: [personalSessions],
    fields: Object.keys(nothing),
  });
  const change = (field: Field, value: string): void => {
    const next = { ...values, [field]: value };
    setValues(next);
    sending.clearErrors(field);
    onDirty?.(Object.values(next).some((text) => text !== ''));
  };
  const wrong = (): Partial<Record<Field, string>> => {
    const problem = passwordProblem(values.password, username, station_name ?? '');
    return {
      ...(values.current === '' && { current: t('common.required') }),
      ...(problem && { password: errorText(problem.code, problem.params, language) }),
      ...(values.again !== values.password && { again: t('people.again_wrong') }),
    };
  };
  const words = { show: t('people.show'), hide: t('people.hide') };
  const field = (name: Field, kind: 'current-password' | 'new-password') => ({
    name,
    kind,
    words,
    required: true,
    value: values[name],
    error: sending.errors[name],
    onChange: (value: string) => change(name, value),
  });
  return (
    <form
      className={styles['form']}
      noValidate
      aria-label={t('people.change_title')}
      onSubmit={(event) => {
        event.preventDefault();
        void sending.submit(wrong());
      }}
    >
      {/* The username of this password, which password managers need. */}
      <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
      <PasswordField
        {...field('current', 'current-password')}
        label={t('people.current')}
        autoFocus={autoFocus}
      />
      <PasswordField
        {...field('password', 'new-password')}
        label={t('people.fresh')}
        rules={rules}
      />
      <PasswordRules
        id={rules}
        password={values.password}
        username={username}
        station={station_name}
      />
      <PasswordField {...field('again', 'new-password')} label={t('people.again')} />
      {sending.failure !== null && <Notice tone="danger">{sending.failure}</Notice>}
      <div className={primitives['buttons']}>
        <Button type="primary" htmlType="submit" loading={sending.busy}>
          {ok}
        </Button>
        {beside}
      </div>
    </form>
  );
};
