import type { ReactNode } from 'react';
import { useTexts } from '#base/texts.ts';
import styles from './field.module.css';
import primitives from '#ui/primitives.module.css';

export interface Option {
  value: string;
  label: string;
  /** At the end of its line. */
  note?: ReactNode;
  /** Shown and not to be had; `note` says why. */
  blocked?: boolean;
}

interface Props {
  id: string;
  label: string;
  options: readonly Option[];
  value: string;
  active: number;
  onPick: (option: Option) => void;
}

/** The options under an input; a press on one keeps the focus where it is. */
export const OptionList = ({ id, label, options, value, active, onPick }: Props) => {
  const { t } = useTexts();
  return (
    <ul id={id} role="listbox" aria-label={label} className={styles['list']} onPointerDown={(event) => event.preventDefault()}>
      {options.map((option, index) => (
        <li
          key={option.value}
          id={`${id}-${index}`}
          ref={(node) => {
            if (node && index === active) node.scrollIntoView({ block: 'nearest' });
          }}
          role="option"
          aria-selected={option.value === value}
          aria-disabled={option.blocked || undefined}
          data-active={index === active || undefined}
          className={styles['option']}
          onClick={() => !option.blocked && onPick(option)}
        >
          <span>{option.label}</span>
          {option.note !== undefined && <span className={`${primitives['cut']} ${styles['note']}`}>{option.note}</span>}
        </li>
      ))}
      {options.length === 0 && (
        <li role="option" aria-selected={false} aria-disabled className={styles['nothing']}>
          {t('common.nothing_matches')}
        </li>
      )}
    </ul>
  );
};
