import { useId } from 'react';
import styles from './day-bars.module.css';

export interface Bar {
  key: string;
  /** Under the bar; the last is always written, others as there is room. */
  label: string;
  value: number;
  /** The bar in words: "11 月 21 日 43 单". */
  words: string;
  /** What a click on the bar opens. */
  href?: string;
}

const steps = [1, 2, 3, 4, 6, 8];

/** The least round number not below `most` that has few digits and a whole half: 43 → 60, 1,204 → 2,000. */
export const roundTop = (most: number): number => {
  if (most <= 4) return 4;
  if (most <= 10) return 2 * Math.ceil(most / 2);
  const power = 10 ** Math.floor(Math.log10(most));
  return steps.map((step) => step * power).find((top) => top >= most) ?? 10 * power;
};

/** How far apart labels stand, so that about seven of them have room. */
export const labelStep = (count: number): number => Math.max(2, Math.ceil(count / 7));

/** Bars from nought, light enough for a page that is not about them. The sentence says what they show; each bar is a row of a table for those who do not see them. */
export const DayBars = ({ bars, title, sentence, format }: { bars: readonly Bar[]; title: string; sentence: string; format: (value: number) => string }) => {
  const id = useId();
  const step = labelStep(bars.length);
  const top = roundTop(Math.max(0, ...bars.map((bar) => bar.value)));
  return (
    <figure className={styles['figure']} aria-labelledby={`${id}-sentence`}>
      <div className={styles['plot']} aria-hidden>
        <div className={styles['scale']}>
          <span>{format(top)}</span>
          <span>{format(top / 2)}</span>
          <span>0</span>
        </div>
        <ol className={styles['bars']}>
          {bars.map((bar, index) => {
            const drawn = (
              <>
                <span className={styles['bar']} style={{ height: `${(bar.value / top) * 100}%` }} />
                {(bars.length - 1 - index) % step === 0 && <span className={styles['label']}>{bar.label}</span>}
              </>
            );
            return (
              <li key={bar.key} title={bar.words} data-last={index === bars.length - 1 || undefined}>
                {bar.href === undefined ? (
                  drawn
                ) : (
                  <a className={styles['door']} href={bar.href} tabIndex={-1}>
                    {drawn}
                  </a>
                )}
              </li>
            );
          })}
        </ol>
      </div>
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
