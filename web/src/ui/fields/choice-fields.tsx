import { useId } from 'react';
import type { ReactNode } from 'react';
import { useTexts } from '#base/texts.ts';
import { FieldFrame, describedBy } from './field.tsx';
import type { FieldProps } from './field.tsx';
import frame from './field.module.css';
import { Switch } from '#ui/switch.tsx';
import primitives from '#ui/primitives.module.css';
import styles from './fields.module.css';

interface SelectProps<V extends string | number> extends FieldProps {
  value: V | null;
  options: readonly { value: V; label: string }[];
  onChange: (value: V | null) => void;
  name?: string;
  disabled?: boolean;
  /** What choosing nothing is called; without it something is always chosen once it was. */
  none?: string;
}

/** One of a few. For many, or options that are asked for, there is the Combobox. */
export const SelectField = <V extends string | number>(props: SelectProps<V>) => {
  const { label, value, options, onChange, name, disabled, none, ...field } = props;
  const { t } = useTexts();
  const id = useId();
  return (
    <FieldFrame id={id} label={label} {...field}>
      <div className={frame['box']} data-disabled={disabled || undefined}>
        <select
          id={id}
          className={`${frame['input']} ${styles['select']}`}
          value={value === null ? '' : String(value)}
          disabled={disabled}
          aria-invalid={field.error !== undefined || undefined}
          aria-describedby={describedBy(id, props)}
          aria-required={field.required || undefined}
          {...(name !== undefined && { name })}
          onChange={(event) => onChange(options.find((option) => String(option.value) === event.target.value)?.value ?? null)}
        >
          {(none !== undefined || value === null) && <option value="">{none ?? t('lists.choose')}</option>}
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      </div>
    </FieldFrame>
  );
};

interface SwitchProps extends FieldProps {
  /** 1 on, 0 off. */
  value: 0 | 1;
  onChange: (value: 0 | 1) => void;
  name?: string;
  disabled?: boolean;
  /** What it means as it stands. */
  words?: ReactNode;
}

/** A flag, 1 or 0. */
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
