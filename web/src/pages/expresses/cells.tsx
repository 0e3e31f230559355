import { InfoCircleOutlined, MoreOutlined } from '@ant-design/icons-svg';
import { useStore } from 'zustand';
import { exceptionWords } from '@waystation/contract/parcels/express-exceptions.ts';
import { expressStates } from '@waystation/contract/parcels/express.ts';
import type { ExpressRow } from '@waystation/contract/parcels/express.ts';
import { wordOf } from '@waystation/contract/base/word-of.ts';
import { usePersonName } from '#base/person-name.ts';
import { benchStore } from '#base/bench-mode.ts';
import { useFormat } from '#base/format.ts';
import { useSettings } from '#base/settings.ts';
import { useTexts } from '#base/texts.ts';
import { missingAmount, numberOf, reasonWords } from '#parcels/parcel-rules.ts';
import { yuan } from '#ui/values/amounts.ts';
import { CopyButton } from '#ui/copy-button.tsx';
import { Icon } from '#ui/icon.tsx';
import { Money } from '#ui/values/money.tsx';
import { useNow } from '#base/now.ts';
import { useAbout } from '#base/use-facts.ts';
import { useRowTab } from '#ui/row-tab.ts';
import { visibleActions } from '#ui/overlay/row-action.ts';
import type { RowAction } from '#ui/overlay/row-action.ts';
import { StatusTag } from '#parcels/status-tag.tsx';
import { Phone, Waybill } from '#ui/values/waybill.tsx';
import { ageOf, movedAt } from './age.ts';
import type { RowWith } from './column-fields.ts';
import styles from './cells.module.css';

export const Simulated = () => {
  const { t } = useTexts();
  return (
    <span className={styles['simulated']} title={t('expresses.simulated_long')}>
      {t('expresses.simulated')}
    </span>
  );
};

/**
 * True if simulated parcels have a mark in lists. Without real parcels the footer shows the mark
 * instead, as long as the footer is shown.
 */
export const useSimulatedTags = (): boolean => {
  const about = useAbout();
  const footer = useSettings((state) => state.footer);
  const isBench = useStore(benchStore, ({ on }) => on);
  return about?.simulated !== true || !footer || isBench;
};

export const SimulatedRow = ({ row }: { row: Pick<ExpressRow, 'simulated'> }) => {
  const tags = useSimulatedTags();
  if (row.simulated !== 1) return null;
  if (tags) return <Simulated />;
  return (
    <span className={styles['said']}>
      <Simulated />
    </span>
  );
};

/**
 * The waybill number, or the order number if there is no waybill number yet, as a link that opens
 * the parcel.
 */
export const NumberCell = ({
  row,
  onOpen,
}: {
  row: ExpressRow;
  onOpen: (row: ExpressRow) => void;
}) => {
  const { t } = useTexts();
  const tabIndex = useRowTab();
  const number = numberOf(row);
  return (
    <>
      <button
        type="button"
        className={styles['number']}
        data-order={row.delivery_id === null || undefined}
        tabIndex={tabIndex}
        onClick={() => onOpen(row)}
        title={row.delivery_id === null ? t('expresses.order_id') : undefined}
      >
        <Waybill number={number} copy={false} />
      </button>
      <CopyButton text={number} label={t('common.copy_waybill', { number })} />
      <SimulatedRow row={row} />
    </>
  );
};

/**
 * The cell with a parcel's state and age. It also shows the reason for the state if the user must
 * know it.
 */
export const StateCell = ({
  row,
  onTopUp,
}: {
  row: RowWith<'state'>;
  onTopUp: ((row: ExpressRow) => void) | null;
}) => {
  const { t, language } = useTexts();
  const format = useFormat();
  const tabIndex = useRowTab();
  const now = useNow();
  const moved = movedAt(row);
  const missing = missingAmount(row);
  const reason = reasonWords(row, language);
  const age = moved === null ? null : ageOf(moved, now);
  // An exception with the same text as the state is not shown.
  const exception =
    row.exception === null ||
    row.handled_at !== null ||
    wordOf(exceptionWords, row.exception, language) ===
      wordOf(expressStates, row.state_code, language)
      ? null
      : wordOf(exceptionWords, row.exception, language);
  // A flag or an open exception is shown in place of the age.
  const isFlagged =
    exception !== null ||
    row.confirming !== null ||
    [row.modifying, row.canceling, row.intercepting, row.need_retry].includes(1);
  return (
    <>
      <StatusTag code={row.state_code} />
      {age && moved && reason === '' && !isFlagged && (
        <span
          className={styles['age']}
          title={t('expresses.since', { time: format.moment(moved) })}
        >
          {t(`expresses.age.${age.unit}`, { count: age.count })}
        </span>
      )}
      {row.confirming !== null && (
        <span className={styles['flag']} title={t('expresses.confirming_long')}>
          {t('expresses.confirming', { state: wordOf(expressStates, row.confirming, language) })}
        </span>
      )}
      {row.modifying === 1 && <span className={styles['flag']}>{t('expresses.modifying')}</span>}
      {row.canceling === 1 && <span className={styles['flag']}>{t('expresses.canceling')}</span>}
      {row.intercepting === 1 && (
        <span className={styles['flag']}>{t('expresses.intercepting')}</span>
      )}
      {row.need_retry === 1 && <span className={styles['flag']}>{t('expresses.sorting')}</span>}
      {exception !== null && (
        <span
          className={styles['flag']}
          title={
            row.exception_at === null
              ? undefined
              : t('expresses.since', { time: format.moment(row.exception_at) })
          }
        >
          {exception}
        </span>
      )}
      {missing !== null && onTopUp && (
        <button
          type="button"
          className={`${styles['link']} ${styles['missing']}`}
          tabIndex={tabIndex}
          title={reason}
          onClick={() => onTopUp(row)}
        >
          {t('common.top_up_by', { amount: yuan(missing) })}
        </button>
      )}
      {missing !== null && !onTopUp && (
        <span className={styles['missing']} title={reason}>
          {t('expresses.missing_amount', { amount: yuan(missing) })}
        </span>
      )}
      {missing === null && reason !== '' && (
        <span className={styles['reason']} title={reason}>
          {reason}
        </span>
      )}
    </>
  );
};

export const PersonCell = ({ row }: { row: ExpressRow }) => {
  const name = usePersonName()(row.receive_name);
  return (
    <span className={styles['person']} title={name}>
      <span className={styles['name']} data-person>
        {name}
      </span>
      <span className={styles['phone']}>
        <Phone number={row.receive_phone} />
      </span>
    </span>
  );
};

/**
 * City and county in short form, such as 深圳 南山. The county is left out if it has the same name as
 * the city.
 */
export const shortPlace = (
  row: Pick<RowWith<'place'>, 'receive_province' | 'receive_city' | 'receive_county'>,
): string => {
  const city = (row.receive_city || row.receive_province).replace(/(?<=..)市$/, '');
  const county =
    row.receive_county === row.receive_city
      ? ''
      : row.receive_county.replace(/(?<=..)(?:新区|区|县|市)$/, '');
  return [city, county].filter(Boolean).join(' ');
};

export const AmountCell = ({
  row,
  onWhy,
}: {
  row: RowWith<'amount'>;
  onWhy: (row: ExpressRow, anchor: HTMLElement) => void;
}) => {
  const { t } = useTexts();
  const tabIndex = useRowTab();
  if (row.voucher_id === null) return <>—</>;
  return (
    <>
      <Money fen={row.post_amount} />
      <button
        type="button"
        className={styles['why']}
        tabIndex={tabIndex}
        aria-label={t('expresses.why_amount', { amount: yuan(row.post_amount) })}
        title={t('common.why')}
        onClick={(event) => onWhy(row, event.currentTarget)}
      >
        <Icon of={InfoCircleOutlined} />
      </button>
    </>
  );
};

/**
 * The two actions that are shown as text: the details, and the next action. The next action orders
 * a draft, retries a refused parcel or handles an exception; otherwise it prints the label.
 */
export const inlineActions = (
  actions: readonly RowAction<ExpressRow>[],
  row: ExpressRow,
): RowAction<ExpressRow>[] => {
  const usable = visibleActions(actions, row);
  const next =
    usable.find(({ key }) => key === 'retry' || key === 'order' || key === 'handle') ??
    usable.find(({ key }) => key === 'print');
  return [...usable.filter(({ key }) => key === 'open'), ...(next ? [next] : [])];
};

/**
 * The cell with the actions of a row. The first two actions are shown as text; a menu contains the
 * others.
 */
export const ActionsCell = ({
  row,
  actions,
  onMore,
}: {
  row: ExpressRow;
  actions: readonly RowAction<ExpressRow>[];
  onMore: (row: ExpressRow, anchor: HTMLElement) => void;
}) => {
  const { t } = useTexts();
  const tabIndex = useRowTab();
  return (
    <span className={styles['actions']}>
      {inlineActions(actions, row).map((action) => {
        const why = action.blocked?.(row) ?? null;
        return (
          <button
            key={action.key}
            type="button"
            className={styles['link']}
            tabIndex={tabIndex}
            aria-disabled={why !== null || undefined}
            title={why ?? undefined}
            onClick={() => why === null && action.run(row)}
          >
            {action.key === 'order' || action.key === 'retry'
              ? t(`expresses.bulk.do.${action.key}`)
              : action.label}
          </button>
        );
      })}
      <button
        type="button"
        className={styles['more']}
        tabIndex={tabIndex}
        aria-haspopup="menu"
        aria-label={t('expresses.more_for', { number: numberOf(row) })}
        onClick={(event) => onMore(row, event.currentTarget)}
      >
        <Icon of={MoreOutlined} />
      </button>
    </span>
  );
};
