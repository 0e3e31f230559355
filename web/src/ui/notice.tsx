import { ExclamationCircleFilled, InfoCircleFilled, WarningFilled } from '@ant-design/icons-svg';
import type { ReactNode } from 'react';
import { Icon } from './icon.tsx';
import styles from './notice.module.css';
import primitives from './primitives.module.css';

type Tone = 'info' | 'warn' | 'danger';
const icons = {
  info: InfoCircleFilled,
  warn: WarningFilled,
  danger: ExclamationCircleFilled,
} as const;

/** A notice within the page, with its actions. A screen reader announces a failure immediately. */
export const Notice = ({
  tone,
  children,
  actions,
}: {
  tone: Tone;
  children: ReactNode;
  actions?: ReactNode;
}) => (
  <div className={styles['notice']} data-tone={tone} role={tone === 'danger' ? 'alert' : 'status'}>
    <Icon of={icons[tone]} className={styles['icon']} />
    <div className={styles['words']}>{children}</div>
    {actions !== undefined && <div className={primitives['inline']}>{actions}</div>}
  </div>
);
