import { passwordInputLength } from '@waystation/contract/base/limits.ts';
import { EyeInvisibleOutlined, EyeOutlined } from '@ant-design/icons-svg';
import { useId, useState } from 'react';
import { FieldFrame, describedBy } from './field.tsx';
import type { FieldProps } from './field.tsx';
import frame from './field.module.css';
import { Icon } from '#ui/icon.tsx';
import styles from './password-field.module.css';

interface Props extends FieldProps {
  value: string;
  onChange: (value: string) => void;
  name: string;
  /** The kind of password, which password managers need. */
  kind: 'current-password' | 'new-password';
  /** The labels of the button that shows and hides the password. */
  words: { show: string; hide: string };
  autoFocus?: boolean;
  /**
   * The id of the element that lists the password rules. Screen readers read it as the description
   * of this field.
   */
  rules?: string;
}

/** A password field with its label and a button that shows the typed password. */
export const PasswordField = (props: Props) => {
  const { label, value, onChange, name, kind, words, autoFocus, rules, ...field } = props;
  const id = useId();
  const [shown, setShown] = useState(false);
  const by = [describedBy(id, props), rules].filter(Boolean).join(' ');
  return (
    <FieldFrame id={id} label={label} {...field}>
      <div className={frame['box']}>
        <input
          id={id}
          className={frame['input']}
          type={shown ? 'text' : 'password'}
          value={value}
          name={name}
          autoComplete={kind}
          autoCapitalize="none"
          spellCheck={false}
          maxLength={passwordInputLength}
          aria-invalid={field.error !== undefined || undefined}
          aria-required={field.required || undefined}
          {...(by !== '' && { 'aria-describedby': by })}
          {...(autoFocus && { autoFocus })}
          onChange={(event) => onChange(event.target.value)}
        />
        <button
          type="button"
          className={styles['eye']}
          aria-label={shown ? words.hide : words.show}
          title={shown ? words.hide : words.show}
          onClick={() => setShown(!shown)}
        >
          <Icon of={shown ? EyeInvisibleOutlined : EyeOutlined} />
        </button>
      </div>
    </FieldFrame>
  );
};
