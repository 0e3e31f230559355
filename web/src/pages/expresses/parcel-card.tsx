import type { ExpressRow } from '@waystation/contract/express.ts';
import { useFormat } from '#base/format.ts';
import { missingAmount, numberOf, reasonWords } from '#parcels/parcel-rules.ts';
import { useTexts } from '#base/texts.ts';
import { yuan } from '#ui/values/amounts.ts';
import { Money } from '#ui/values/money.tsx';
import { StatusTag } from '#parcels/status-tag.tsx';
import { Waybill } from '#ui/values/waybill.tsx';
import primitives from '#ui/primitives.module.css';
import { Simulated, shortPlace } from './cells.tsx';
import styles from './cells.module.css';

/** A parcel on a phone: number and state, then who, where and how much, then why it goes no further. */
export const ParcelCard = ({ row }: { row: ExpressRow }) => {
  const { t, language } = useTexts();
  const format = useFormat();
  const missing = missingAmount(row);
  const reason = missing === null ? reasonWords(row, language) : '';
  return (
    <div className={primitives['closeStack']}>
      <div className={`${primitives['row']} ${styles['line']}`}>
        <Waybill number={numberOf(row)} copy={false} />
        {row.simulated === 1 && <Simulated />}
        <span>
          <StatusTag code={row.state_code} />
        </span>
      </div>
      <div className={`${primitives['row']} ${styles['line']}`}>
        <span className={styles['grow']}>{row.receive_name || '—'}</span>
        <span className={`${styles['grow']} ${styles['quiet']}`}>
          {missing === null ? shortPlace(row) : t('expresses.missing_amount', { amount: yuan(missing) })}
        </span>
        <span className={styles['quiet']}>
          <time dateTime={row.created_at}>{format.time(row.created_at)}</time>
        </span>
        <span>{row.voucher_id === null ? '—' : <Money fen={row.post_amount} />}</span>
      </div>
      {reason !== '' && <div className={`${primitives['cut']} ${styles['quiet']}`}>{reason}</div>}
    </div>
  );
};
