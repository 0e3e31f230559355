import { traceExpress } from '@waystation/contract/parcels/express-calls.ts';
import type { Express } from '@waystation/contract/parcels/express.ts';
import { useFormat } from '#base/format.ts';
import { useLivePause } from '#base/live-events.ts';
import { useCall } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import { isMoving } from '#parcels/parcel-rules.ts';
import { Empty } from '#ui/empty.tsx';
import { ErrorPanel } from '#ui/error-panel.tsx';
import { Waiting } from '#ui/waiting.tsx';
import styles from './parcel-drawer.module.css';
import { reportTitle } from './report-title.ts';

/** The carrier's reports in the carrier's own words, newest first. */
export const TrackTab = ({ parcel }: { parcel: Express }) => {
  const { t } = useTexts();
  const format = useFormat();
  const { data, error, refetch } = useCall(
    traceExpress,
    { id: parcel.id },
    { quiet: true, keep: true, refetchInterval: useLivePause(isMoving(parcel) ? 10_000 : false) },
  );
  if (!data) return error ? <ErrorPanel error={error} onRetry={refetch} /> : <Waiting />;
  if (data.items.length === 0)
    return <Empty title={t('expresses.no_track')} hint={t('expresses.no_track_hint')} />;
  return (
    <>
      {data.checked_at !== null && (
        <p className={styles['quiet']} title={format.moment(data.checked_at)}>
          {t('expresses.checked', { time: format.relative(data.checked_at) })}
        </p>
      )}
      <ol className={styles['track']} style={{ marginTop: 12 }}>
        {data.items.toReversed().map((event, index) => (
          // Two events may have identical texts, so the key contains the index.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={`${event.at} ${event.state} ${index}`}>
            <span className={styles['what']}>{reportTitle(event, t)}</span>{' '}
            <time
              className={`${styles['quiet']} tabular`}
              dateTime={event.at}
              title={`${format.relative(event.at)} · ${format.moment(event.at)}`}
            >
              {format.dateTime(event.at)}
            </time>
            <p>{[event.remark, event.place, event.operator_name].filter(Boolean).join(' · ')}</p>
          </li>
        ))}
      </ol>
    </>
  );
};
