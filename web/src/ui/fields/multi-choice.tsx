import { DownOutlined } from '@ant-design/icons-svg';
import { useRef, useState } from 'react';
import { useTexts } from '#base/texts.ts';
import { Icon } from '#ui/icon.tsx';
import styles from './multi-choice.module.css';
import { Popup } from '#ui/overlay/popup.tsx';
import primitives from '#ui/primitives.module.css';

interface Props {
  label: string;
  options: readonly { value: string; label: string }[];
  /** The selected values, in the order of the options. */
  value: readonly string[];
  onChange: (value: string[]) => void;
}

/** A choice of several values, for few values. Each press selects or deselects one value. */
export const MultiChoiceFields = ({ label, options, value, onChange }: Props) => {
  const chosen = new Set(value);
  const toggle = (one: string): void => {
    if (!chosen.delete(one)) chosen.add(one);
    onChange(options.map((option) => option.value).filter((each) => chosen.has(each)));
  };
  return (
    <div className={styles['options']} role="group" aria-label={label}>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={value.includes(option.value)}
          onClick={() => toggle(option.value)}
        >
          {option.label}
        </button>
      ))}
    </div>
  );
};

/** A choice of several values from a short list. A single button opens the list. */
export const MultiChoice = (props: Props) => {
  const { t } = useTexts();
  const button = useRef<HTMLButtonElement>(null);
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const { label, options, value, onChange } = props;
  const first = options.find((option) => option.value === value[0])?.label ?? '';
  const shown =
    value.length === 0 ? '' : value.length === 1 ? first : `${first} +${value.length - 1}`;
  return (
    <>
      <button
        ref={button}
        type="button"
        className={styles['button']}
        data-chosen={value.length > 0 || undefined}
        aria-haspopup="dialog"
        aria-expanded={anchor !== null}
        onClick={() => setAnchor(anchor ? null : button.current)}
      >
        <span className={shown === '' ? styles['words'] : 'sr-only'}>{label}</span>
        {shown !== '' && <span className={styles['words']}>{shown}</span>}
        <Icon of={DownOutlined} />
      </button>
      {anchor && (
        <Popup
          anchor={anchor}
          onClose={() => setAnchor(null)}
          role="dialog"
          label={label}
          takesFocus
        >
          <div className={styles['panel']}>
            <MultiChoiceFields {...props} />
            <button
              type="button"
              className={`${primitives['linkButton']} ${styles['clear']}`}
              disabled={value.length === 0}
              onClick={() => onChange([])}
            >
              {t('common.clear')}
            </button>
          </div>
        </Popup>
      )}
    </>
  );
};
