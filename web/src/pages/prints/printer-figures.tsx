import { useId, useState } from 'react';
import { printDrivers, printerFigures } from '@waystation/contract/parcels/print.ts';
import type { OutputOf } from '@waystation/contract/base/endpoint.ts';
import { wordOf } from '@waystation/contract/base/word-of.ts';
import { useFormat } from '#base/format.ts';
import { useCall } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import { Button } from '#ui/button.tsx';
import { rateOf } from './count-texts.ts';
import styles from './printer-figures.module.css';

type Figures = OutputOf<typeof printerFigures>;

/**
 * A table with the failures of each printer by day, today first. A cell contains a rate; it is
 * empty if no labels were printed on that day.
 */
const Table = ({ figures: { days, printers, counted_from } }: { figures: Figures }) => {
  const { t, language } = useTexts();
  const format = useFormat();
  return (
    <>
      <div
        className={styles['scroll']}
        tabIndex={0}
        role="region"
        aria-label={t('prints.figures.title')}
      >
        <table>
          <thead>
            <tr>
              <th scope="col">{t('prints.printer')}</th>
              <th scope="col">{t('prints.figures.labels')}</th>
              <th scope="col">{t('prints.figures.failed')}</th>
              <th scope="col">{t('prints.figures.reprinted')}</th>
              {days.toReversed().map((day) => (
                <th key={day} scope="col">
                  {day.slice(5)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {printers.map(({ driver, printer, total, failed, reprints, by_day }) => (
              <tr key={`${driver} ${printer}`}>
                <th scope="row">
                  {[wordOf(printDrivers, driver, language), printer].filter(Boolean).join(' · ')}
                </th>
                <td>{format.number(total)}</td>
                <td data-bad={failed > 0 || undefined}>{rateOf(failed, total)}%</td>
                <td>{rateOf(reprints, total)}%</td>
                {by_day.toReversed().map((one, no) => (
                  <td
                    key={days.at(-1 - no)}
                    data-bad={(one?.failed ?? 0) > 0 || undefined}
                    title={one ? t('prints.figures.of_day', one) : undefined}
                  >
                    {one ? `${rateOf(one.failed, one.total)}%` : '—'}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {counted_from !== null && (
        <p className={styles['note']}>
          {t('prints.figures.counted_from', { time: format.dateTime(counted_from) })}
        </p>
      )}
    </>
  );
};

/**
 * Today's number of labels, and how many of them were reprints or failed. Also shows how often each
 * printer failed in the last fourteen days.
 */
export const PrinterFigures = ({ station_id }: { station_id: string | undefined }) => {
  const { t } = useTexts();
  const format = useFormat();
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const { data } = useCall(
    printerFigures,
    station_id === undefined ? {} : { station_id: Number(station_id) },
    { quiet: true, keep: true },
  );
  if (!data) return <div className={styles['strip']} aria-busy />;
  const { total, reprints, failed, unreported } = data.today;
  return (
    <section className={styles['figures']} aria-label={t('prints.figures.today')}>
      <div className={styles['strip']}>
        <dl>
          {[
            { label: t('prints.figures.today'), value: format.number(total) },
            { label: t('prints.figures.reprinted'), value: `${rateOf(reprints, total)}%` },
            {
              label: t('prints.figures.failed'),
              value: `${rateOf(failed, total)}%`,
              bad: failed > 0,
            },
            ...(unreported > 0
              ? [
                  {
                    label: t('prints.figures.unreported'),
                    value: format.number(unreported),
                    bad: true,
                  },
                ]
              : []),
          ].map(({ label, value, bad }) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd data-bad={bad || undefined}>{value}</dd>
            </div>
          ))}
        </dl>
        {data.printers.length > 0 && (
          <Button
            type="link"
            size="small"
            aria-expanded={isOpen}
            aria-controls={id}
            onClick={() => setOpen(!isOpen)}
          >
            {t(isOpen ? 'prints.figures.hide' : 'prints.figures.show', { days: data.days.length })}
          </Button>
        )}
      </div>
      <div id={id}>{isOpen && <Table figures={data} />}</div>
    </section>
  );
};
