import { useState } from 'react';
import { getImpact, startImpact } from '@waystation/contract/money/voucher.ts';
import type { Impact } from '@waystation/contract/money/voucher.ts';
import { provinceName } from '@waystation/contract/parcels/provinces.ts';
import { call } from '#base/call.ts';
import { useFormat } from '#base/format.ts';
import { notify } from '#ui/overlay/notify.tsx';
import { refresh, useCall } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import { StationPicker } from '#resource/stations/station-picker.tsx';
import { signedYuan, yuan } from '#ui/values/amounts.ts';
import { Button } from '#ui/button.tsx';
import { ErrorPanel } from '#ui/error-panel.tsx';
import { Money } from '#ui/values/money.tsx';
import { Notice } from '#ui/notice.tsx';
import { Progress } from '#ui/progress.tsx';
import styles from './editor.module.css';

type Sums = Pick<Impact, 'parcels' | 'old_amount' | 'new_amount' | 'unpriced'>;

const Row = ({ name, sums, total = false }: { name: string; sums: Sums; total?: boolean }) => {
  const format = useFormat();
  return (
    <tr data-total={total || undefined}>
      <th scope="row">{name}</th>
      <td data-end>{format.number(sums.parcels)}</td>
      <td data-end>
        <Money fen={sums.old_amount} />
      </td>
      <td data-end>
        <Money fen={sums.new_amount} />
      </td>
      <td data-end>
        <Money fen={sums.new_amount - sums.old_amount} signed />
      </td>
      <td data-end>{sums.unpriced === 0 ? '—' : format.number(sums.unpriced)}</td>
    </tr>
  );
};

const Table = ({
  label,
  rows,
  impact,
}: {
  label: string;
  rows: readonly { key: string; name: string; sums: Sums }[];
  impact: Impact;
}) => {
  const { t } = useTexts();
  return (
    <div className={styles['table']} tabIndex={0} role="region" aria-label={label}>
      <table>
        <thead>
          <tr>
            <th scope="col">{label}</th>
            <th scope="col" data-end>
              {t('vouchers.impact.parcels')}
            </th>
            <th scope="col" data-end>
              {t('vouchers.impact.old')}
            </th>
            <th scope="col" data-end>
              {t('vouchers.impact.new')}
            </th>
            <th scope="col" data-end>
              {t('common.difference')}
            </th>
            <th scope="col" data-end>
              {t('vouchers.impact.unpriced')}
            </th>
          </tr>
        </thead>
        <tbody>
          <Row name={t('vouchers.impact.all')} sums={impact} total />
          {rows.map(({ key, name, sums }) => (
            <Row key={key} name={name} sums={sums} />
          ))}
        </tbody>
      </table>
    </div>
  );
};

/** Sorts by the absolute difference between the new and the old amount, largest first. */
export const byDifference = <S extends Sums>(rows: readonly S[]): S[] => {
  const difference = ({ new_amount, old_amount }: S): number => Math.abs(new_amount - old_amount);
  return rows.toSorted((a, b) => difference(b) - difference(a));
};

const Result = ({ impact }: { impact: Impact }) => {
  const { t, language } = useTexts();
  const format = useFormat();
  const { cost } = impact;
  return (
    <>
      <p className={styles['quiet']}>
        {t('vouchers.impact.about', {
          station: impact.station_name ?? t('vouchers.impact.every_station'),
          from: format.date(impact.since),
          to: format.date(impact.until),
          by: impact.asked_by,
        })}
      </p>
      {impact.status === 'running' && (
        <Progress
          percent={impact.total === 0 ? 0 : Math.floor((impact.done * 100) / impact.total)}
          label={t('vouchers.impact.progress')}
        />
      )}
      {impact.unpriced > 0 && (
        <Notice tone="warn">
          {t('vouchers.impact.unpriced_words', { count: impact.unpriced })}
        </Notice>
      )}
      {cost.parcels > 0 && (
        <Notice tone={cost.new_amount < cost.cost_amount ? 'warn' : 'info'}>
          {t('vouchers.impact.cost', {
            count: cost.parcels,
            cost: yuan(cost.cost_amount),
            old: signedYuan(cost.old_amount - cost.cost_amount),
            now: signedYuan(cost.new_amount - cost.cost_amount),
          })}
        </Notice>
      )}
      <Table
        label={t('vouchers.impact.station')}
        impact={impact}
        rows={byDifference(impact.stations).map((sums) => ({
          key: String(sums.station_id),
          name: sums.name,
          sums,
        }))}
      />
      <Table
        label={t('vouchers.impact.province')}
        impact={impact}
        rows={byDifference(impact.provinces).map((sums) => ({
          key: sums.province,
          name: provinceName(sums.province, language),
          sums,
        }))}
      />
    </>
  );
};

const rests = 1_000;

/**
 * The impact estimate: the sum that the parcels of the last 30 days would have cost with the saved
 * draft. A background job calculates it.
 */
export const ImpactPanel = ({
  id,
  empty,
  unsaved = false,
}: {
  id: number;
  empty: boolean;
  unsaved?: boolean;
}) => {
  const { t } = useTexts();
  const [station, setStation] = useState<{ id: number | null; name: string }>({
    id: null,
    name: '',
  });
  const [running, setRunning] = useState(true);
  const { data, error, refetch } = useCall(
    getImpact,
    { id },
    { quiet: true, staleTime: 0, refetchInterval: running ? rests : false },
  );
  const impact = data?.impact ?? null;
  if (running && data && impact?.status !== 'running') setRunning(false);
  const start = async (): Promise<void> => {
    try {
      await call(startImpact, { id, ...(station.id !== null && { station_id: station.id }) });
      await refresh(getImpact);
      setRunning(true);
    } catch (failed) {
      notify.failure(failed);
    }
  };
  return (
    <div className={styles['panel']}>
      <p>{t('vouchers.impact.hint')}</p>
      {unsaved && <Notice tone="warn">{t('vouchers.impact.unsaved')}</Notice>}
      <div className={styles['ask']}>
        <StationPicker
          label={t('vouchers.impact.for')}
          value={station.id}
          shown={station.name}
          clearable
          onChange={(chosen, name) => setStation({ id: chosen, name })}
        />
        <Button
          type="primary"
          disabled={empty || impact?.status === 'running'}
          onClick={() => void start()}
        >
          {t('vouchers.impact.start')}
        </Button>
      </div>
      {error ? (
        <ErrorPanel error={error} onRetry={refetch} />
      ) : (
        impact && <Result impact={impact} />
      )}
    </div>
  );
};
