import type { ReactNode } from 'react';
import styles from './empty.module.css';
import primitives from './primitives.module.css';

/** Shown where there is no content: the text and the next step. */
export const Empty = ({
  title,
  hint,
  children,
}: {
  title: string;
  hint?: string;
  children?: ReactNode;
}) => (
  <div className={styles['empty']}>
    <svg viewBox="0 0 64 48" aria-hidden focusable="false">
      <path className={styles['ground']} d="M4 43h56" />
      <path className={styles['box']} d="M14 17 32 9l18 8v19l-18 8-18-8z" />
      <path className={styles['seam']} d="m14 17 18 8 18-8M32 25v19M23 13l18 8v6" />
    </svg>
    <p className={styles['title']}>{title}</p>
    {hint !== undefined && <p className={styles['hint']}>{hint}</p>}
    {children !== undefined && (
      <div className={`${primitives['buttons']} ${styles['actions']}`}>{children}</div>
    )}
  </div>
);
