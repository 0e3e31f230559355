import type { ReactNode } from 'react';
import styles from './facts.module.css';

export interface Fact {
  /** The field it shows. */
  key: string;
  /** The fields it shows, if there are several. */
  fields?: readonly string[];
  label: string;
  value: ReactNode;
  /** Takes the whole line. */
  wide?: boolean;
}

/** Names and values in columns. */
export const Facts = ({ facts }: { facts: readonly Fact[] }) => (
  <dl className={styles['facts']}>
    {facts.map((fact) => (
      <div key={fact.key} data-wide={fact.wide || undefined}>
        <dt>{fact.label}</dt>
        <dd data-field={(fact.fields ?? [fact.key]).join(' ')}>
          {fact.value === '' || fact.value === null || fact.value === undefined ? '—' : fact.value}
        </dd>
      </div>
    ))}
  </dl>
);
