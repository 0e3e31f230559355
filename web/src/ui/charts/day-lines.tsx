import { useId } from 'react';
import styles from './day-lines.module.css';
import { Plot } from './plot.tsx';

/**
 * The values of one day: two lines, and a bar for their difference. The difference may be negative.
 */
export interface LinePoint {
  key: string;
  label: string;
  upper: number;
  lower: number;
  bar: number;
  /** True if the day has not ended, so that its low value is not drawn like a fall. */
  isUnfinished: boolean;
  words: string;
}

interface Props {
  points: readonly LinePoint[];
  names: { upper: string; lower: string; bar: string };
  title: string;
  sentence: string;
  /** Writes a value of the axis with few characters. */
  format: (value: number) => string;
}

/**
 * A chart over days with two lines, and with bars from zero. The lines differ in colour, in their
 * dashes and in the legend. A sentence summarises the chart, arrow keys read it day by day, and
 * screen readers get a table.
 */
export const DayLines = ({ points, names, title, sentence, format }: Props) => {
  const id = useId();
  return (
    <figure className={styles['figure']} aria-labelledby={`${id}-sentence`}>
      <div className={styles['legend']} aria-hidden>
        <span data-series="upper">{names.upper}</span>
        <span data-series="lower">{names.lower}</span>
        <span data-series="bar">{names.bar}</span>
      </div>
      <Plot label={title} format={format} days={points} />
      <figcaption id={`${id}-sentence`} className={styles['sentence']}>
        {sentence}
      </figcaption>
    </figure>
  );
};
