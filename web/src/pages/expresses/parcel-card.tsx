import type { ExpressRow } from '@waystation/contract/parcels/express.ts';
import { usePersonName } from '#base/person-name.ts';
import { useFormat } from '#base/format.ts';
import { missingAmount, numberOf, reasonWords } from '#parcels/parcel-rules.ts';
import { useTexts } from '#base/texts.ts';
import { yuan } from '#ui/values/amounts.ts';
import { Money } from '#ui/values/money.tsx';
import { StatusTag } from '#parcels/status-tag.tsx';
import { Waybill } from '#ui/values/waybill.tsx';
import primitives from '#ui/primitives.module.css';
import { SimulatedRow, shortPlace } from './cells.tsx';
import { columnFields, hasFields } from './column-fields.ts';
import type { RowWith } from './column-fields.ts';
import styles from './cells.module.css';

/**
 * A parcel as a card, for narrow screens. The card shows number and state, then recipient, place
 * and amount. If the parcel is stopped, the reason follows.
 */
export const ParcelCard = ({ row }: { row: ExpressRow }) => {
  const { t, language } = useTexts();
  const format = useFormat();
  const nameOf = usePersonName();
  const missing = missingAmount(row);
  const reason = missing === null ? reasonWords(row, language) : '';
  return (
    <div className={primitives['closeStack']}>
      <div className={`${primitives['row']} ${styles['line']}`}>
        <Waybill number={numberOf(row)} copy={false} />
        <SimulatedRow row={row} />
        <span>
          <StatusTag code={row.state_code} />
        </span>
      </div>
      <div className={`${primitives['row']} ${styles['line']}`}>
        <span className={styles['grow']}>{nameOf(row.receive_name)}</span>
        <span className={`${styles['grow']} ${styles['quiet']}`}>
          {missing === null
            ? hasFields(row, columnFields.place) && shortPlace(row as RowWith<'place'>)
            : t('expresses.missing_amount', { amount: yuan(missing) })}
        </span>
        <span className={styles['quiet']}>
          {row.created_at !== undefined && (
            <time dateTime={row.created_at}>{format.time(row.created_at)}</time>
          )}
        </span>
        <span>{(row.voucher_id ?? null) === null ? '—' : <Money fen={row.post_amount} />}</span>
      </div>
      {reason !== '' && <div className={`${primitives['cut']} ${styles['quiet']}`}>{reason}</div>}
    </div>
  );
};
