import { WarningOutlined } from '@ant-design/icons-svg';
import type { OutputOf } from '@waystation/contract/base/endpoint.ts';
import type { quoteExpress } from '@waystation/contract/parcels/express-calls.ts';
import { useTexts } from '#base/texts.ts';
import { Button } from '#ui/button.tsx';
import { Icon } from '#ui/icon.tsx';
import { Notice } from '#ui/notice.tsx';
import { yuan } from '#ui/values/amounts.ts';
import { Money } from '#ui/values/money.tsx';
import styles from './order-bar.module.css';

interface AmountProps {
  data: OutputOf<typeof quoteExpress> | undefined;
  /**
   * The price of the order, or the sum for all parcels that are ordered together. Null if it is not
   * known.
   */
  due: number | null;
}

/** The price of the order, the balance afterwards, and the missing amount. */
const Amounts = ({ data, due }: AmountProps) => {
  const { t } = useTexts();
  if (data === undefined || due === null)
    return (
      <p className={styles['amounts']}>
        <span className={styles['due']}>
          {t('store.due')} <span className={styles['none']}>—</span>
        </span>
      </p>
    );
  // If the form edits an ordered parcel, the amount held for it is released before the new price is
  // held.
  const left = data.available + data.held - due;
  const isShort = data.has_amount === 1 && left < 0;
  return (
    <>
      <p className={styles['amounts']}>
        <span className={styles['due']}>
          {t('store.due')} <Money fen={due} />
        </span>
        <span className={styles['after']}>
          {t('store.after')}{' '}
          {data.has_amount === 1 ? (
            <Money fen={left} {...(isShort && { tone: 'danger' as const })} />
          ) : (
            t('store.post_paid')
          )}
        </span>
      </p>
      {isShort && (
        <p className={styles['short']}>
          <Icon of={WarningOutlined} /> {t('store.short_by', { amount: yuan(-left) })}
        </p>
      )}
    </>
  );
};

interface Props extends AmountProps {
  /** The reason why the last order was refused. It is kept until the next attempt. */
  refusal: string | null;
  /** A text that names the answers for which a pressed order waits; null if no order waits. */
  waiting: string | null;
  /**
   * If the form edits a parcel, tells whether the carrier already has that parcel. Null if the form
   * is for a new order.
   */
  editing: 'unsent' | 'sent' | null;
  /** The reason why no label can be printed on this computer; null if labels can be printed. */
  noPrint: string | null;
  onOrder: (print: boolean) => void;
  onDraft: () => void;
  onClear: () => void;
}

/**
 * The bar under the form, with the amounts beside the order buttons. It stays visible at every
 * window size.
 */
export const OrderBar = ({
  data,
  due,
  refusal,
  waiting,
  editing,
  noPrint,
  onOrder,
  onDraft,
  onClear,
}: Props) => {
  const { t } = useTexts();
  return (
    <section className={styles['bar']} aria-label={t('store.bar')}>
      {waiting !== null ? (
        <Notice tone="info">{waiting}</Notice>
      ) : (
        refusal !== null && <Notice tone="danger">{refusal}</Notice>
      )}
      <div className={styles['row']}>
        <Amounts data={data} due={due} />
        {editing === 'sent' ? (
          <div className={styles['main']}>
            <Button type="primary" size="large" onClick={() => onOrder(false)}>
              {t('store.edit_save')} <kbd>F8</kbd>
            </Button>
          </div>
        ) : (
          <>
            <div className={styles['small']}>
              <Button type="text" size="small" onClick={onClear}>
                {t('store.clear')}
              </Button>
              <Button type="text" size="small" onClick={onDraft}>
                {editing !== null ? t('store.edit_save') : t('store.draft')}
              </Button>
            </div>
            <div className={styles['main']}>
              <Button
                size="large"
                disabled={noPrint !== null}
                {...(noPrint !== null && {
                  title: noPrint,
                  'aria-describedby': 'store-no-print',
                })}
                onClick={() => onOrder(true)}
              >
                {t('store.order_print')} <kbd>F9</kbd>
              </Button>
              <Button type="primary" size="large" onClick={() => onOrder(false)}>
                {t('store.order')} <kbd>F8</kbd>
              </Button>
            </div>
          </>
        )}
      </div>
      {noPrint !== null && editing !== 'sent' && (
        <p id="store-no-print" className={styles['note']}>
          {noPrint}
        </p>
      )}
    </section>
  );
};
