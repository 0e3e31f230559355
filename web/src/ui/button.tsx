import { LoadingOutlined } from '@ant-design/icons-svg';
import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react';
import styles from './button.module.css';
import { Icon } from './icon.tsx';

interface Props extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'type'> {
  type?: 'default' | 'primary' | 'text' | 'link' | 'dashed';
  size?: 'small' | 'middle' | 'large';
  danger?: boolean;
  /** True: the button is as wide as its container. */
  block?: boolean;
  icon?: ReactNode;
  /** True while the action of the last click is running. Further clicks are ignored. */
  loading?: boolean;
  /** The URL of a button that is a link. Such a button runs no action. */
  href?: string;
  htmlType?: 'button' | 'submit' | 'reset';
  ref?: Ref<HTMLButtonElement>;
}

/**
 * A button that looks like a button of the component library. It does not need the library, because
 * the first list is shown before the library is loaded.
 */
export const Button = (props: Props) => {
  const {
    type = 'default',
    size = 'middle',
    danger = false,
    block = false,
    icon,
    loading = false,
    htmlType = 'button',
    href,
    className,
    disabled,
    onClick,
    children,
    ...rest
  } = props;
  const bare = children === undefined || children === null || children === false;
  const look = {
    className: [styles['button'], className].filter(Boolean).join(' '),
    'data-kind': type,
    'data-size': size,
    'data-danger': danger || undefined,
    'data-block': block || undefined,
    'data-bare': bare || undefined,
  };
  if (href !== undefined)
    return (
      <a {...look} href={href} title={rest.title} aria-label={rest['aria-label']}>
        {icon}
        {!bare && <span>{children}</span>}
      </a>
    );
  return (
    // oxlint-disable-next-line react/button-has-type -- it has: `button` by default
    <button
      {...rest}
      {...look}
      type={htmlType}
      disabled={disabled}
      data-loading={loading || undefined}
      aria-busy={loading || undefined}
      onClick={(event) => {
        if (loading) event.preventDefault();
        else onClick?.(event);
      }}
    >
      {loading ? <Icon of={LoadingOutlined} spin /> : icon}
      {!bare && <span>{children}</span>}
    </button>
  );
};
