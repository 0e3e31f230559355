import type { OutputOf } from '@waystation/contract/base/endpoint.ts';
import type { previewProject } from '@waystation/contract/network/project.ts';
import { useTexts } from '#base/texts.ts';
import { Money } from '#ui/values/money.tsx';
import styles from './projects.module.css';

/** Shows the sample parcel's price before and after for each selected station. */
export const PricePreview = ({ items }: { items: OutputOf<typeof previewProject>['items'] }) => {
  const { t } = useTexts();
  return (
    <table className={styles['preview']}>
      <caption className="sr-only">{t('projects.preview')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('common.station')}</th>
          <th scope="col">{t('projects.promise')}</th>
          <th scope="col">{t('projects.before')}</th>
          <th scope="col">{t('projects.after')}</th>
          <th scope="col">{t('projects.difference')}</th>
        </tr>
      </thead>
      <tbody>
        {items.flatMap((item) =>
          item.prices.map(({ promise_id, promise_name, before_amount, after_amount }, index) => (
            <tr key={`${item.station_id} ${promise_id}`}>
              {index === 0 && (
                <th scope="rowgroup" rowSpan={item.prices.length}>
                  {item.station_name}
                  <span className={styles['quiet']}>
                    {item.project_name ?? t('projects.no_scheme')}
                  </span>
                </th>
              )}
              <td>{promise_name}</td>
              <td>
                <Money fen={before_amount} />
              </td>
              <td>
                <Money fen={after_amount} />
              </td>
              <td>
                {before_amount !== null && after_amount !== null ? (
                  <Money
                    fen={after_amount - before_amount}
                    signed
                    {...(after_amount !== before_amount && {
                      tone: after_amount > before_amount ? ('danger' as const) : ('good' as const),
                    })}
                  />
                ) : (
                  t(
                    after_amount === null
                      ? before_amount === null
                        ? 'projects.neither'
                        : 'projects.lost'
                      : 'projects.gained',
                  )
                )}
              </td>
            </tr>
          )),
        )}
      </tbody>
    </table>
  );
};
