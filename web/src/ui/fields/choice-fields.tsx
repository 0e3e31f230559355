import { useId } from 'react';
import type { ReactNode } from 'react';
import { useTexts } from '#base/texts.ts';
import { FieldFrame, describedBy } from './field.tsx';
import type { FieldProps } from './field.tsx';
import frame from './field.module.css';
import { Switch } from '#ui/switch.tsx';
import primitives from '#ui/primitives.module.css';
import styles from './fields.module.css';
import { Select } from './select.tsx';

interface SelectProps<V extends string | number> extends FieldProps {
  value: V | null;
  options: readonly { value: V; label: string }[];
  onChange: (value: V | null) => void;
  name?: string;
  disabled?: boolean;
  /** The label of the option for no value. If absent, a choice cannot be cleared. */
  none?: string;
}

/**
 * A choice of one value from a short list. Use Combobox for many options or for options that are
 * fetched.
 */
export const SelectField = <V extends string | number>(props: SelectProps<V>) => {
  const { label, value, options, onChange, name, disabled, none, ...field } = props;
  const { t } = useTexts();
  const id = useId();
  return (
    <FieldFrame id={id} label={label} {...field}>
      <div className={frame['box']} data-disabled={disabled || undefined}>
        <Select
          id={id}
          className={styles['select']}
          value={value === null ? '' : String(value)}
          options={[
            ...(none !== undefined || value === null
              ? [{ value: '', label: none ?? t('lists.choose') }]
              : []),
            ...options.map((option) => ({ value: String(option.value), label: option.label })),
          ]}
          disabled={disabled}
          invalid={field.error !== undefined}
          describedBy={describedBy(id, props)}
          required={field.required}
          {...(name !== undefined && { name })}
          onChange={(next) =>
            onChange(options.find((option) => String(option.value) === next)?.value ?? null)
          }
        />
      </div>
    </FieldFrame>
  );
};

interface SwitchProps extends FieldProps {
  /** 1 if the switch is on, 0 if it is off. */
  value: 0 | 1;
  onChange: (value: 0 | 1) => void;
  name?: string;
  disabled?: boolean;
  /** The text for the current value. */
  words?: ReactNode;
}

/** A switch for a value of 1 or 0. */
export const SwitchField = (props: SwitchProps) => {
  const { label, value, onChange, name, disabled = false, words, ...field } = props;
  const id = useId();
  const by = describedBy(id, props);
  return (
    <FieldFrame id={id} label={label} {...field}>
      <div className={`${primitives['row']} ${styles['switch']}`}>
        <Switch
          id={id}
          checked={value === 1}
          disabled={disabled}
          onChange={(on) => onChange(on ? 1 : 0)}
          aria-labelledby={`${id}-label`}
          {...(by !== undefined && { 'aria-describedby': by })}
          {...(name !== undefined && { 'data-name': name })}
        />
        {words !== undefined && <span className={styles['words']}>{words}</span>}
      </div>
    </FieldFrame>
  );
};
