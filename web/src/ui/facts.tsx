import { useId } from 'react';
import type { ReactNode } from 'react';
import styles from './facts.module.css';

export interface Fact {
  /** The field whose value is shown. */
  key: string;
  /** The fields whose values are shown if the fact consists of several fields. */
  fields?: readonly string[];
  label: string;
  value: ReactNode;
  /** One sentence about the effect of the value, shown below the value. */
  effect?: string;
  /** True if the fact takes the whole width. */
  wide?: boolean;
}

const noValues: ReadonlySet<unknown> = new Set(['', null, undefined, false]);

/** A list of names and values, in columns. */
export const Facts = ({ facts }: { facts: readonly Fact[] }) => (
  <dl className={styles['facts']}>
    {facts.map((fact) => (
      <div key={fact.key} data-wide={fact.wide || undefined}>
        <dt>{fact.label}</dt>
        <dd data-field={(fact.fields ?? [fact.key]).join(' ')}>
          {noValues.has(fact.value) ? '—' : fact.value}
          {fact.effect !== undefined && <p className={styles['effect']}>{fact.effect}</p>}
        </dd>
      </div>
    ))}
  </dl>
);

/** A group of facts below a heading. */
export const FactGroup = ({ title, facts }: { title: string; facts: readonly Fact[] }) => {
  const heading = useId();
  return (
    <section className={styles['group']} aria-labelledby={heading}>
      <h3 id={heading}>{title}</h3>
      <Facts facts={facts} />
    </section>
  );
};
