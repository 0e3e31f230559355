import { promiseCoverage } from '@waystation/contract/parcels/promise.ts';
import { provinceName, provinces } from '@waystation/contract/parcels/provinces.ts';
import { useCall } from '#base/query.ts';
import { perLocale } from '#base/formats.ts';
import { useTexts } from '#base/texts.ts';
import { Empty } from '#ui/empty.tsx';
import { ErrorPanel } from '#ui/error-panel.tsx';
import primitives from '#ui/primitives.module.css';
import styles from './promises.module.css';

const listsOf = perLocale((locale) => new Intl.ListFormat(locale));

/**
 * The regions that the published templates of this delivery time serve. Regions that they do not
 * serve are crossed out.
 */
export const LanesTab = ({ id }: { id: number }) => {
  const { t, language, locale } = useTexts();
  const listed = listsOf(locale);
  const { data, error, refetch } = useCall(promiseCoverage, { id }, { quiet: true });
  if (error) return <ErrorPanel error={error} onRetry={refetch} />;
  if (!data) return <p aria-busy>{t('shell.loading')}</p>;
  if (data.vouchers.length === 0)
    return <Empty title={t('promises.no_lanes')} hint={t('promises.no_lanes_hint')} />;
  return (
    <ul className={`${primitives['list']} ${styles['lanes']}`}>
      {data.vouchers.map((voucher) => (
        <li key={voucher.id}>
          <h2>{voucher.name}</h2>
          {voucher.lanes.map(({ from, to }) => (
            <div key={from.join()} className={styles['lane']}>
              <p>
                {t('promises.lane', {
                  from:
                    from.length === 0
                      ? t(voucher.lanes.length === 1 ? 'promises.anywhere' : 'promises.everywhere')
                      : listed.format(from.map((code) => provinceName(code, language))),
                  count: to.length,
                  total: provinces.length,
                })}
              </p>
              <ul className={`${primitives['list']} ${styles['map']}`}>
                {provinces.map((province) => {
                  const closed = !to.includes(province.code);
                  return (
                    <li key={province.code} data-closed={closed || undefined}>
                      {province[language]}
                      {closed && <span className="sr-only">{t('promises.not_served')}</span>}
                    </li>
                  );
                })}
              </ul>
            </div>
          ))}
        </li>
      ))}
    </ul>
  );
};
