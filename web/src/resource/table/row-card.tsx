import type { ReactNode } from 'react';
import styles from './row-card.module.css';

/** A row of a list on a phone: lines of words, the first of which names it. */
export const RowCard = ({ children }: { children: ReactNode }) => <div className={styles['card']}>{children}</div>;
