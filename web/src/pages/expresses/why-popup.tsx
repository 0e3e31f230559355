import { priceExpress } from '@waystation/contract/parcels/express-calls.ts';
import type { ExpressRow } from '@waystation/contract/parcels/express.ts';
import { useCall } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import { numberOf } from '#parcels/parcel-rules.ts';
import { ErrorPanel } from '#ui/error-panel.tsx';
import { Popup } from '#ui/overlay/popup.tsx';
import primitives from '#ui/primitives.module.css';
import { WhyPanel } from '#money/why-panel.tsx';
import styles from './why-popup.module.css';

/** The explanation of the amount in a row, shown beside the amount. */
export const WhyPopup = ({
  row,
  anchor,
  onClose,
  onMore,
}: {
  row: ExpressRow;
  anchor: HTMLElement;
  onClose: () => void;
  onMore: () => void;
}) => {
  const { t } = useTexts();
  const { data, error, refetch } = useCall(priceExpress, { id: row.id }, { quiet: true });
  const last = data?.pricings.at(-1);
  return (
    <Popup
      anchor={anchor}
      align="end"
      onClose={onClose}
      role="dialog"
      label={t('common.why')}
      takesFocus
    >
      <div className={styles['why']}>
        {error && !data ? (
          <ErrorPanel error={error} onRetry={refetch} />
        ) : last ? (
          <>
            <WhyPanel
              price={last.price}
              cal_weight={last.price.cal_weight}
              heading={numberOf(row)}
            />
            {data && data.pricings.length > 1 && (
              <button
                type="button"
                className={`${primitives['linkButton']} ${styles['more']}`}
                onClick={onMore}
              >
                {t('expresses.priced_times', { count: data.pricings.length })}
              </button>
            )}
          </>
        ) : (
          <p>{data ? t('expresses.not_priced') : t('shell.loading')}</p>
        )}
      </div>
    </Popup>
  );
};
