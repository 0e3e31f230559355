import { CheckOutlined, MinusOutlined } from '@ant-design/icons-svg';
import { Checkbox as Base } from '@base-ui/react/checkbox';
import type { ReactNode } from 'react';
import { Icon } from '#ui/icon.tsx';
import { ComponentLibrary } from '#ui/overlay/component-library.tsx';
import styles from './checkbox.module.css';

interface Props {
  checked: boolean;
  onChange: (checked: boolean) => void;
  /** True if some, but not all, of the rows that this checkbox selects are selected. */
  some?: boolean;
  disabled?: boolean;
  className?: string | undefined;
  children: ReactNode;
}

/**
 * A checkbox with its label, for dialogs and drawers. The rows of a list use the browser's own
 * checkbox.
 */
export const Checkbox = ({
  checked,
  onChange,
  some = false,
  disabled = false,
  className,
  children,
}: Props) => (
  <ComponentLibrary>
    <label
      className={className === undefined ? styles['label'] : `${styles['label']} ${className}`}
    >
      <Base.Root
        checked={checked}
        indeterminate={some}
        disabled={disabled}
        onCheckedChange={(next) => onChange(next)}
        className={styles['box']}
      >
        <Base.Indicator>
          <Icon of={some ? MinusOutlined : CheckOutlined} />
        </Base.Indicator>
      </Base.Root>
      <span>{children}</span>
    </label>
  </ComponentLibrary>
);
