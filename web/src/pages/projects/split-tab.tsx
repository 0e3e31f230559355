import { useState } from 'react';
import { errorText } from '#base/error-text.ts';
import { splitProject } from '@waystation/contract/network/project.ts';
import type { ProjectDetails, SplitLine } from '@waystation/contract/network/project.ts';
import type { PercentType } from '@waystation/contract/money/terms.ts';
import { useCall } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import { StationPicker, useSettled } from '#resource/stations/station-picker.tsx';
import { yuan } from '#ui/values/amounts.ts';
import { ErrorPanel } from '#ui/error-panel.tsx';
import { SelectField } from '#ui/fields/choice-fields.tsx';
import { Money } from '#ui/values/money.tsx';
import styles from './projects.module.css';
import { SampleFields, sampleInput, useSample } from './sample.tsx';
import { usePercentOptions } from './words.ts';

const Line = ({ line, whole }: { line: SplitLine; whole: number }) => {
  const { t } = useTexts();
  const names = {
    share: line.station_name ?? '',
    guarantee: t('projects.insurance'),
    platform: t('projects.platform'),
  };
  return (
    <tr>
      <th scope="row">
        {names[line.kind]}
        {line.wanted_amount !== null && line.wanted_amount > line.amount && (
          <span className={styles['quiet']}>
            {' '}
            {t('projects.cut', { amount: yuan(line.wanted_amount) })}
          </span>
        )}
      </th>
      <td className={styles['part']} aria-hidden>
        <span
          style={{ width: `${whole > 0 ? (line.amount / whole) * 100 : 0}%` }}
          data-kind={line.kind}
        />
      </td>
      <td>
        <Money fen={line.amount} />
      </td>
    </tr>
  );
};

/**
 * The share of each station in the price of a sample parcel. The server calculates the shares, and
 * they add up to the price.
 */
export const SplitTab = ({ project }: { project: ProjectDetails }) => {
  const { t, language } = useTexts();
  const percents = usePercentOptions();
  const [station, setStation] = useState<{ id: number; name: string } | null>(null);
  const [percent_type, setPercentType] = useState<PercentType>(project.percent_type);
  const [sample, setSample] = useSample();
  const settled = useSettled(sample, 250);
  const ready = sampleInput(settled);
  const { data, error, refetch } = useCall(
    splitProject,
    station === null || ready === null
      ? null
      : { id: project.id, station_id: station.id, percent_type, ...ready },
    { keep: true, quiet: true, staleTime: 0 },
  );
  return (
    <div className={styles['split']}>
      <div className={styles['sample']}>
        <StationPicker
          label={t('projects.from_station')}
          value={station?.id ?? null}
          shown={station?.name}
          onChange={(id, name) => setStation(id === null ? null : { id, name })}
          required
        />
        <SelectField
          label={t('projects.percent_type')}
          value={percent_type}
          options={percents}
          onChange={(value) => setPercentType(value ?? 1)}
        />
      </div>
      <SampleFields sample={sample} onChange={setSample} />
      {error !== null && <ErrorPanel error={error} onRetry={refetch} />}
      {station === null && <p className={styles['quiet']}>{t('projects.choose_station')}</p>}
      {station !== null && ready === null && (
        <p className={styles['quiet']}>{t('projects.sample_missing')}</p>
      )}
      {station !== null && data?.items.length === 0 && (
        <p className={styles['quiet']}>{t('projects.offers_nothing')}</p>
      )}
      {station !== null &&
        ready !== null &&
        data?.items.map((item) => (
          <table key={`${item.promise_id} ${item.voucher_name}`} className={styles['lines']}>
            <caption>
              {item.promise_name} · {item.voucher_name}
            </caption>
            <tbody>
              {item.lines.map((line) => (
                <Line
                  key={`${line.kind} ${line.station_id}`}
                  line={line}
                  whole={item.post_amount ?? 0}
                />
              ))}
            </tbody>
            <tfoot>
              <tr>
                <th scope="row" colSpan={2}>
                  {item.reason
                    ? errorText(item.reason.code, item.reason.params, language)
                    : t('projects.pays', { name: station.name })}
                </th>
                <td>
                  <Money fen={item.post_amount} />
                </td>
              </tr>
            </tfoot>
          </table>
        ))}
    </div>
  );
};
