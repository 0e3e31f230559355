import type { ReactNode } from 'react';
import styles from './row-card.module.css';

/**
 * Several facts in one line. The line is broken only between facts, and empty facts are left out.
 */
export const Joined = ({ of: facts }: { of: readonly ReactNode[] }) => {
  const told = facts.filter(
    (fact) => fact !== '' && fact !== null && fact !== undefined && fact !== false,
  );
  return told.map((fact, index) => (
    // oxlint-disable-next-line react/no-array-index-key -- the facts of one row never move
    <span key={index} className={styles['fact']}>
      {fact}
      {index < told.length - 1 && ' ·'}
    </span>
  ));
};

/**
 * A row of a list on a phone. It has several lines of text; the first line is the name of the row.
 */
export const RowCard = ({ children }: { children: ReactNode }) => (
  <div className={styles['card']}>{children}</div>
);
