import styles from './progress-bar.module.css';

/**
 * A thin bar at the top of the window. `share` is between 0 and 1. When `busy` becomes false, the
 * bar fills and disappears.
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
