import styles from './progress-bar.module.css';

/**
 * A thin bar at the top. `share` is from 0 to 1; if `busy` is false, the bar fills and fades out.
 */
export const ProgressBar = ({
  busy,
  share,
  label,
}: {
  busy: boolean;
  share: number;
  label: string;
}) => (
  <div
    className={styles['track']}
    data-busy={busy || undefined}
    aria-hidden={!busy}
    {...(busy && {
      role: 'progressbar',
      'aria-label': label,
      'aria-valuemin': 0,
      'aria-valuemax': 100,
      'aria-valuenow': Math.round(share * 100),
    })}
  >
    <div className={styles['bar']} style={{ transform: `scaleX(${share})` }} />
  </div>
);
