import { Combobox } from '@base-ui/react/combobox';
import type { ReactNode } from 'react';
import { useTexts } from '#base/texts.ts';
import styles from './field.module.css';
import primitives from '#ui/primitives.module.css';

export interface Option {
  value: string;
  label: string;
  /** A note at the end of the option's line. */
  note?: ReactNode;
  /** True if the option is shown but cannot be selected. `note` then gives the reason. */
  blocked?: boolean;
}

interface Props {
  label: string;
  options: readonly Option[];
  /** The value of the selected option. If absent, the highlighted option counts as selected. */
  value?: string | undefined;
}

/**
 * The options under an input, inside `Combobox.Root`. A press on an option does not move the focus.
 */
export const OptionList = ({ label, options, value }: Props) => {
  const { t } = useTexts();
  return (
    <Combobox.List
      aria-label={label}
      className={styles['list']}
      onMouseDown={(event) => event.preventDefault()}
    >
      {options.map((option) => (
        <Combobox.Item
          key={option.value}
          value={option}
          disabled={option.blocked ?? false}
          className={styles['option']}
          render={(item, { highlighted }) => (
            <div
              {...item}
              aria-selected={value === undefined ? highlighted : option.value === value}
              data-active={highlighted || undefined}
            />
          )}
        >
          <span>{option.label}</span>
          {option.note !== undefined && (
            <span className={`${primitives['cut']} ${styles['note']}`}>{option.note}</span>
          )}
        </Combobox.Item>
      ))}
      {options.length === 0 && (
        <div role="option" aria-selected={false} aria-disabled className={styles['nothing']}>
          {t('common.nothing_matches')}
        </div>
      )}
    </Combobox.List>
  );
};
