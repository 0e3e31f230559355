import { useId } from 'react';
import { labelStep, roundTop } from './day-bars.tsx';
import styles from './day-lines.module.css';

/** One day: two lines and what lies between them as a bar, which may fall below nought. */
export interface LinePoint {
  key: string;
  label: string;
  upper: number;
  lower: number;
  bar: number;
  words: string;
}

interface Props {
  points: readonly LinePoint[];
  names: { upper: string; lower: string; bar: string };
  title: string;
  sentence: string;
  /** A figure of the scale in few characters. */
  format: (value: number) => string;
}

const width = 640;
const height = 168;

/**
 * Two lines and bars from nought over days, drawn as one picture. Lines are told apart by their dashes and by the legend, never by colour alone.
 * The sentence says what it shows; who does not see it reads the table that stands beside it.
 */
export const DayLines = ({ points, names, title, sentence, format }: Props) => {
  const id = useId();
  const top = roundTop(Math.max(0, ...points.flatMap(({ upper, lower, bar }) => [upper, lower, bar])));
  const least = Math.min(0, ...points.flatMap(({ upper, lower, bar }) => [upper, lower, bar]));
  const bottom = least < 0 ? -roundTop(-least) : 0;
  const y = (value: number): number => ((top - value) / (top - bottom)) * height;
  const slot = width / Math.max(1, points.length);
  const x = (index: number): number => (index + 0.5) * slot;
  const path = (of: 'upper' | 'lower'): string =>
    points.map((point, index) => `${index === 0 ? 'M' : 'L'}${x(index).toFixed(1)} ${y(point[of]).toFixed(1)}`).join('');
  const step = labelStep(points.length);
  // Two figures need a line's height between them.
  const scale = [top, top / 2, 0, ...(-bottom > (top - bottom) / 9 ? [bottom] : [])];
  return (
    <figure className={styles['figure']} aria-labelledby={`${id}-sentence`}>
      <div className={styles['legend']} aria-hidden>
        <span data-series="upper">{names.upper}</span>
        <span data-series="lower">{names.lower}</span>
        <span data-series="bar">{names.bar}</span>
      </div>
      <div className={styles['plot']} aria-hidden>
        <div className={styles['scale']}>
          {scale.map((value) => (
            <span key={value} style={{ top: `${(y(value) / height) * 100}%` }}>
              {format(value)}
            </span>
          ))}
        </div>
        <div className={styles['field']}>
          <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" role="presentation">
            {scale.map((value) => (
              <path key={value} className={value === 0 ? styles['ground'] : styles['grid']} d={`M0 ${y(value)}H${width}`} />
            ))}
            {points.map((point, index) => (
              <rect
                key={point.key}
                className={point.bar < 0 ? styles['loss'] : styles['bar']}
                x={x(index) - slot * 0.32}
                width={slot * 0.64}
                y={Math.min(y(point.bar), y(0))}
                height={Math.abs(y(point.bar) - y(0))}
              />
            ))}
            <path className={styles['lower']} d={path('lower')} />
            <path className={styles['upper']} d={path('upper')} />
            {points.map((point, index) => (
              <rect key={point.key} className={styles['catch']} x={index * slot} width={slot} y={0} height={height}>
                <title>{point.words}</title>
              </rect>
            ))}
          </svg>
          <div className={styles['labels']}>
            {points.map(
              (point, index) =>
                (points.length - 1 - index) % step === 0 && (
                  <span key={point.key} style={{ left: `${(x(index) / width) * 100}%` }}>
                    {point.label}
                  </span>
                ),
            )}
          </div>
        </div>
      </div>
      <figcaption id={`${id}-sentence`} className={styles['sentence']} title={title}>
        {sentence}
      </figcaption>
    </figure>
  );
};
