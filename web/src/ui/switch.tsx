import { LoadingOutlined } from '@ant-design/icons-svg';
import type { ButtonHTMLAttributes } from 'react';
import { Icon } from './icon.tsx';
import styles from './switch.module.css';

interface Props extends Omit<
  ButtonHTMLAttributes<HTMLButtonElement>,
  'type' | 'onChange' | 'children'
> {
  checked: boolean;
  onChange: (checked: boolean) => void;
  size?: 'small' | 'middle';
  /** True while the change is being saved. */
  loading?: boolean;
}

/**
 * A switch whose change applies immediately. The caller must give it a name by a label or
 * `aria-label`.
 */
export const Switch = ({
  checked,
  onChange,
  size = 'middle',
  loading = false,
  disabled,
  onClick,
  className,
  ...rest
}: Props) => (
  <button
    {...rest}
    type="button"
    role="switch"
    aria-checked={checked}
    aria-busy={loading || undefined}
    disabled={disabled || loading}
    className={className === undefined ? styles['switch'] : `${styles['switch']} ${className}`}
    data-size={size}
    onClick={(event) => {
      onClick?.(event);
      onChange(!checked);
    }}
  >
    <span className={styles['knob']}>{loading && <Icon of={LoadingOutlined} spin />}</span>
  </button>
);
