import { useEffect, useRef } from 'react';
import { countExceptions } from '@waystation/contract/parcels/express-calls.ts';
import { exceptionKinds, exceptionWords } from '@waystation/contract/parcels/express-exceptions.ts';
import { wordOf } from '@waystation/contract/base/word-of.ts';
import { useFormat } from '#base/format.ts';
import { useLiveEvents } from '#base/live-events.ts';
import { useCall } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import styles from './exception-board.module.css';
import { ButtonChoice } from './filter-controls.tsx';

const rereadAfter = 2_000;

interface Props {
  /**
   * The kind of exception by which the list is filtered, or `any` for all kinds. '' if the list is
   * not filtered by exception.
   */
  value: string;
  station_id: string | undefined;
  onChange: (value: string | undefined) => void;
}

/**
 * The number of parcels for each kind of exception. Pressing a kind filters the list by it. The
 * parcels are counted again after a change, at most every two seconds.
 */
export const ExceptionBoard = ({ value, station_id, onChange }: Props) => {
  const { t, language } = useTexts();
  const format = useFormat();
  const { data, refetch } = useCall(
    countExceptions,
    station_id === undefined ? {} : { station_id: Number(station_id) },
    { quiet: true },
  );
  const due = useRef<ReturnType<typeof setTimeout>>(undefined);
  const reread = (): void => {
    due.current ??= setTimeout(() => {
      due.current = undefined;
      void refetch();
    }, rereadAfter);
  };
  useEffect(() => () => clearTimeout(due.current), []);
  useLiveEvents('parcel', ({ change }) => {
    if (change === 'state' || change === 'exception') reread();
  });
  useLiveEvents('parcels', reread);
  useLiveEvents('reset', reread);
  const labelled = (label: string, count: number | undefined): string =>
    count === undefined ? label : `${label} ${format.number(count)}`;
  const total = data && Object.values(data.counts).reduce((sum, count) => sum + count, 0);
  return (
    <div className={styles['board']}>
      <ButtonChoice
        label={t('expresses.exceptions')}
        value={value}
        options={[
          { value: 'any', label: labelled(t('expresses.exceptions_all'), total) },
          ...exceptionKinds.map((kind) => ({
            value: kind,
            label: labelled(
              kind === 'unmoved' && data
                ? t('expresses.exceptions_unmoved', { hours: data.unmoved_hours })
                : wordOf(exceptionWords, kind, language),
              data?.counts[kind],
            ),
          })),
        ]}
        onChange={(next) => onChange(next === value ? undefined : next)}
      />
    </div>
  );
};
