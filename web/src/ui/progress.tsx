import styles from './progress.module.css';
import primitives from './primitives.module.css';

interface Props {
  /** A whole number from 0 to 100. */
  percent: number;
  label: string;
  tone?: 'going' | 'done' | 'failed';
  /** True if the percentage is also shown as a number beside the bar. */
  figure?: boolean;
}

/** A bar that shows the progress of background work. */
export const Progress = ({ percent, label, tone = 'going', figure = true }: Props) => (
  <span className={`${primitives['row']} ${styles['progress']}`} data-tone={tone}>
    <span
      className={styles['rail']}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
    >
      <span style={{ inlineSize: `${percent}%` }} />
    </span>
    {figure && <span className={styles['figure']}>{percent}%</span>}
  </span>
);
