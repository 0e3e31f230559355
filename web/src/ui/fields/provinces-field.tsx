import { useId } from 'react';
import { provinces } from '@waystation/contract/parcels/provinces.ts';
import { useTexts } from '#base/texts.ts';
import { FieldFrame, describedBy } from './field.tsx';
import type { FieldProps } from './field.tsx';
import styles from './fields.module.css';

interface Props extends FieldProps {
  /** The official codes of the provinces, such as `440000`. */
  value: readonly string[];
  onChange: (value: string[]) => void;
  name?: string;
  disabled?: boolean;
  /** The provinces that can be selected. If absent, all can be selected. */
  offered?: readonly string[];
}

/**
 * Selects several of the 34 provinces, one press for each. The value lists them in the order of the
 * province codes.
 */
export const ProvincesField = (props: Props) => {
  const { label, value, onChange, name, disabled, offered, ...field } = props;
  const { t, language } = useTexts();
  const id = useId();
  const shown = provinces.filter(({ code }) => offered?.includes(code) ?? true);
  const chosen = new Set(value);
  const keep = (codes: ReadonlySet<string>): void =>
    onChange(provinces.map(({ code }): string => code).filter((code) => codes.has(code)));
  return (
    <FieldFrame
      id={id}
      label={label}
      {...field}
      after={
        <span className={styles['picks']}>
          {t('lists.provinces_chosen', { count: value.length })}
          <button
            type="button"
            disabled={disabled}
            onClick={() => keep(new Set(shown.map(({ code }) => code)))}
          >
            {t('lists.choose_all')}
          </button>
          <button
            type="button"
            disabled={disabled || value.length === 0}
            onClick={() => onChange([])}
          >
            {t('common.clear')}
          </button>
        </span>
      }
    >
      <div
        id={id}
        role="group"
        tabIndex={-1}
        aria-labelledby={`${id}-label`}
        aria-describedby={describedBy(id, props)}
        className={styles['provinces']}
        data-name={name}
      >
        {shown.map((province) => (
          <button
            key={province.code}
            type="button"
            disabled={disabled}
            aria-pressed={chosen.has(province.code)}
            onClick={() => {
              const next = new Set(chosen);
              if (!next.delete(province.code)) next.add(province.code);
              keep(next);
            }}
          >
            {province[language]}
          </button>
        ))}
      </div>
    </FieldFrame>
  );
};
