import type { ComponentProps } from 'react';
import { useTexts } from '#base/texts.ts';
import { Combobox } from '#ui/fields/combobox.tsx';
import primitives from '#ui/primitives.module.css';
import styles from './filter-controls.module.css';

interface Props {
  label: string;
  value: string;
  options: readonly { value: string; label: string }[];
  onChange: (value: string | undefined) => void;
}

/** A filter with a few values, shown as buttons that are all visible. */
export const ButtonChoice = ({ label, value, options, onChange }: Props) => (
  <fieldset className={styles['choice']}>
    <legend>{label}</legend>
    <div>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          onClick={() => onChange(option.value || undefined)}
        >
          {option.label}
        </button>
      ))}
    </div>
  </fieldset>
);

type OptionsProps = Pick<
  ComponentProps<typeof Combobox>,
  'label' | 'value' | 'options' | 'shown'
> & { change: (value: string | undefined) => void };

/** A filter with a single value out of many options, which the user finds by typing. */
export const OptionsFilter = ({ change, ...field }: OptionsProps) => {
  const { t } = useTexts();
  return <Combobox {...field} clearable onChange={change} placeholder={t('common.any')} />;
};

/** A filter that is a single checkbox. If the box is not checked, the filter is not set. */
export const CheckFilter = ({
  label,
  checked,
  onChange,
}: {
  label: string;
  checked: boolean;
  onChange: (value: string | undefined) => void;
}) => (
  <label className={`${primitives['row']} ${styles['check']}`}>
    <input
      type="checkbox"
      checked={checked}
      onChange={(event) => onChange(event.target.checked ? '1' : undefined)}
    />
    {label}
  </label>
);
