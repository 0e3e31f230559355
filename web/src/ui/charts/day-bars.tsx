import { useId } from 'react';
import styles from './day-bars.module.css';
import { Plot } from './plot.tsx';

export interface Bar {
  key: string;
  /**
   * The text below the bar. The last bar always shows it; the other bars show it if there is room.
   */
  label: string;
  value: number;
  /** The text about the bar, for example "11 月 21 日 43 单". */
  words: string;
  /** The URL of the page that opens when the bar is clicked. */
  href?: string;
}

/**
 * A bar chart that starts at zero. A sentence summarises it, and arrow keys move from bar to bar.
 * Screen readers get a table with a row for each bar.
 */
export const DayBars = ({
  bars,
  title,
  sentence,
  format,
}: {
  bars: readonly Bar[];
  title: string;
  sentence: string;
  format: (value: number) => string;
}) => {
  const id = useId();
  return (
    <figure className={styles['figure']} aria-labelledby={`${id}-sentence`}>
      <Plot
        label={title}
        format={format}
        days={bars.map(({ key, label, value, words, href }) => ({
          key,
          label,
          bar: value,
          words,
          href,
        }))}
      />
      <figcaption id={`${id}-sentence`} className={styles['sentence']}>
        {sentence}
      </figcaption>
      <table className="sr-only">
        <caption>{title}</caption>
        <tbody>
          {bars.map((bar) => (
            <tr key={bar.key}>
              <th scope="row">{bar.key}</th>
              <td>{bar.value}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  );
};
