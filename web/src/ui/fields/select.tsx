import { DownOutlined } from '@ant-design/icons-svg';
import { Suspense, lazy, useId, useState } from 'react';
import type { KeyboardEvent } from 'react';
import { Icon } from '#ui/icon.tsx';
import styles from './select.module.css';

interface Props<V extends string> {
  value: V | '';
  options: readonly { value: V | ''; label: string }[];
  onChange: (value: V | '') => void;
  /** The name for screen readers. It is needed if no label element names the control. */
  label?: string;
  labelledBy?: string;
  id?: string;
  name?: string;
  disabled?: boolean | undefined;
  invalid?: boolean;
  required?: boolean | undefined;
  describedBy?: string | undefined;
  className?: string | undefined;
}

const SelectList = lazy(async () => ({
  default: (await import('./select-library.tsx')).SelectList,
}));
const opening = new Set(['ArrowDown', 'ArrowUp', 'Enter', ' ']);

/**
 * A choice of one option. At first it is a plain button, because the first list is shown before the
 * library is loaded. The options are loaded when it opens.
 */
export const Select = <V extends string>(props: Props<V>) => {
  const {
    value,
    options,
    onChange,
    label,
    labelledBy,
    id,
    name,
    disabled = false,
    invalid = false,
    required = false,
    describedBy,
    className,
  } = props;
  const list = useId();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const close = (): void => setAnchor(null);
  const onKeyDown = (event: KeyboardEvent<HTMLButtonElement>): void => {
    if (!opening.has(event.key)) return;
    event.preventDefault();
    setAnchor(event.currentTarget);
  };
  return (
    <>
      <button
        type="button"
        role="combobox"
        id={id}
        name={name}
        className={className === undefined ? styles['select'] : `${styles['select']} ${className}`}
        aria-label={label}
        aria-labelledby={labelledBy}
        aria-haspopup="listbox"
        aria-expanded={anchor !== null}
        aria-controls={anchor === null ? undefined : list}
        aria-invalid={invalid || undefined}
        aria-required={required || undefined}
        aria-describedby={describedBy}
        disabled={disabled}
        onClick={({ currentTarget }) => setAnchor(anchor === null ? currentTarget : null)}
        onKeyDown={onKeyDown}
      >
        <span className={styles['value']}>
          {options.find((option) => option.value === value)?.label ?? ''}
        </span>
        <Icon of={DownOutlined} />
      </button>
      {anchor && (
        <Suspense fallback={null}>
          <SelectList
            id={list}
            anchor={anchor}
            label={label}
            labelledBy={labelledBy ?? (id === undefined ? undefined : `${id}-label`)}
            value={value}
            options={options}
            onChange={(next) =>
              onChange(options.find((option) => option.value === next)?.value ?? '')
            }
            onClose={close}
          />
        </Suspense>
      )}
    </>
  );
};
