import { stationProvinces } from '@waystation/contract/network/station.ts';
import { useFormat } from '#base/format.ts';
import { useCall } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import { useNarrow } from '#base/viewport.ts';
import { Empty } from '#ui/empty.tsx';
import { ErrorPanel } from '#ui/error-panel.tsx';
import { Drawer } from '#ui/overlay/overlay.tsx';
import { Money } from '#ui/values/money.tsx';
import styles from './stations.module.css';

/**
 * The number of stations in each province. Each row opens the list of the stations in its province.
 */
export const ProvincesDrawer = ({
  onChoose,
  onClose,
}: {
  onChoose: (province: string) => void;
  onClose: () => void;
}) => {
  const { t } = useTexts();
  const format = useFormat();
  const narrow = useNarrow();
  const { data, error, refetch } = useCall(stationProvinces, {}, { quiet: true, staleTime: 0 });
  const most = Math.max(1, ...(data?.items ?? []).map(({ stations }) => stations));
  return (
    <Drawer open size={narrow ? '100%' : 520} title={t('stations.by_province')} onClose={onClose}>
      {error !== null && !data && <ErrorPanel error={error} onRetry={refetch} />}
      {data?.items.length === 0 && <Empty title={t('lists.none_yet')} hint={t('stations.hint')} />}
      {data && (
        <ul className={styles['provinces']} aria-label={t('stations.by_province')}>
          {data.items.map(({ province, stations, enabled, available, freeze, parcels_30d }) => (
            <li key={province}>
              <div>
                {province === '' ? (
                  <strong>{t('stations.no_province')}</strong>
                ) : (
                  <button
                    type="button"
                    className={styles['province']}
                    onClick={() => onChoose(province)}
                  >
                    {province}
                  </button>
                )}
                <span className="tabular">
                  {t('stations.province_count', {
                    count: format.number(stations),
                    enabled: format.number(enabled),
                  })}
                </span>
              </div>
              <progress value={stations} max={most} aria-hidden />
              <dl>
                <div>
                  <dt>{t('stations.available')}</dt>
                  <dd>
                    <Money fen={available} />
                  </dd>
                </div>
                <div>
                  <dt>{t('stations.freeze')}</dt>
                  <dd>
                    <Money fen={freeze} />
                  </dd>
                </div>
                <div>
                  <dt>{t('stations.parcels')}</dt>
                  <dd className="tabular">{format.number(parcels_30d)}</dd>
                </div>
              </dl>
            </li>
          ))}
        </ul>
      )}
    </Drawer>
  );
};
