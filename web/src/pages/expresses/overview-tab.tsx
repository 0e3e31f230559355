import { isOutcomeOpen } from '@waystation/contract/parcels/express-outcome.ts';
import { stateCode } from '@waystation/contract/parcels/express-states.ts';
import { ArrowRightOutlined } from '@ant-design/icons-svg';
import { useState } from 'react';
import { revealExpress } from '@waystation/contract/parcels/express-calls.ts';
import { fullAddress } from '@waystation/contract/parcels/divisions.ts';
import { weightText } from '@waystation/contract/money/price-words.ts';
import { expressStates } from '@waystation/contract/parcels/express.ts';
import type { Express } from '@waystation/contract/parcels/express.ts';
import type { Language } from '@waystation/contract/base/errors.ts';
import { office } from '@waystation/contract/base/roles.ts';
import { wordOf } from '@waystation/contract/base/word-of.ts';
import { call } from '#base/call.ts';
import { useFormat } from '#base/format.ts';
import type { Locale } from '#base/language.ts';
import { notify } from '#ui/overlay/notify.tsx';
import { usePersonName } from '#base/person-name.ts';
import { useTexts } from '#base/texts.ts';
import { usePermitted } from '#shell/session/session.ts';
import { isPickupMissed, missingAmount, parcelsAhead, reasonWords } from '#parcels/parcel-rules.ts';
import { yuan } from '#ui/values/amounts.ts';
import { CopyButton } from '#ui/copy-button.tsx';
import { Facts } from '#ui/facts.tsx';
import { Icon } from '#ui/icon.tsx';
import { lazyComponent } from '#ui/lazy.tsx';
import { Money } from '#ui/values/money.tsx';
import { Notice } from '#ui/notice.tsx';
import { Weight } from '#ui/values/weight.tsx';
import { CodeText } from '#ui/values/code-text.tsx';
import { Phone, Waybill } from '#ui/values/waybill.tsx';
import primitives from '#ui/primitives.module.css';
import { ChargeReview } from './charge-review.tsx';
import { windowText } from '#parcels/pickup-window.ts';
import styles from './parcel-drawer.module.css';
import { stepsOf } from './steps.ts';
import { WaybillChoice } from './waybill-choice.tsx';

/** Loaded only when it is shown, because it is shown rarely and only to administrators. */
const OutcomeReview = lazyComponent(
  async () => (await import('./outcome-review.tsx')).OutcomeReview,
);

/** Loaded only when it is shown, because the parcel list does not need it. */
const ParcelHandovers = lazyComponent(
  async () => (await import('./parcel-handovers.tsx')).ParcelHandovers,
);

type Side = 'sender' | 'receive';

const party = (parcel: Express, side: Side) => ({
  name: parcel[`${side}_name`],
  phone: parcel[`${side}_phone`],
  city: parcel[`${side}_city`] || parcel[`${side}_province`],
  county: parcel[`${side}_county`],
  whole: fullAddress({
    province: parcel[`${side}_province`],
    city: parcel[`${side}_city`],
    county: parcel[`${side}_county`],
    address: parcel[`${side}_address`],
  }),
});

const End = ({
  parcel,
  side,
  phone,
  onReveal,
}: {
  parcel: Express;
  side: Side;
  phone: string;
  onReveal: (() => void) | null;
}) => {
  const { t } = useTexts();
  const { name, city, county, whole } = party(parcel, side);
  const nameOf = usePersonName();
  return (
    <div className={styles['end']}>
      <span className={styles['quiet']}>
        {t(side === 'sender' ? 'expresses.sender' : 'expresses.receiver')}
      </span>
      <span className={styles['city']}>
        {[city, county === city ? '' : county].filter(Boolean).join(' ') || '—'}
      </span>
      <span className={styles['who']}>
        {nameOf(name)}
        <Phone number={phone} copy />
        {onReveal && phone !== '' && (
          <button
            type="button"
            className={`${primitives['linkButton']} ${styles['reveal']}`}
            onClick={onReveal}
          >
            {t('expresses.reveal')}
          </button>
        )}
      </span>
      {whole !== '' && (
        <span className={styles['address']}>
          {whole}
          <CopyButton
            text={`${nameOf(name)} ${phone} ${whole}`}
            label={t('expresses.copy_address')}
          />
        </span>
      )}
    </div>
  );
};

/**
 * Sender and recipient. Phones of another station are shown only on request, which is recorded in
 * the audit log.
 */
const Route = ({ parcel }: { parcel: Express }) => {
  const [phones, setPhones] = useState<{ sender_phone: string; receive_phone: string } | null>(
    null,
  );
  const reveal = async (): Promise<void> => {
    try {
      setPhones(await call(revealExpress, { id: parcel.id }));
    } catch (error) {
      notify.failure(error);
    }
  };
  const ask = parcel.phones_shown === 1 || phones ? null : () => void reveal();
  return (
    <div className={styles['route']}>
      <End
        parcel={parcel}
        side="sender"
        phone={phones?.sender_phone ?? parcel.sender_phone}
        onReveal={null}
      />
      <Icon of={ArrowRightOutlined} className={styles['arrow']} />
      <End
        parcel={parcel}
        side="receive"
        phone={phones?.receive_phone ?? parcel.receive_phone}
        onReveal={ask}
      />
    </div>
  );
};

/** The text of the chosen pickup window; null if the pickup is as soon as possible. */
const pickupOf = (
  { pickup_from: starts_at, pickup_until: ends_at }: Express,
  locale: Locale,
): string | null =>
  starts_at === null || ends_at === null ? null : windowText({ starts_at, ends_at }, locale);

/** The notices that the user should see first. */
const Notices = ({ parcel }: { parcel: Express }) => {
  const { t, language, locale } = useTexts();
  const reason = reasonWords(parcel, language);
  const missing = missingAmount(parcel);
  const ahead = parcelsAhead(parcel);
  const bad = parcel.state_code === stateCode.failed || parcel.state_code === stateCode.exception;
  const decides = usePermitted(office) && isOutcomeOpen(parcel);
  // True if the choice of the outcome or of the waybill number is shown. This choice contains its
  // own notice about the possible actions.
  const chooses = decides || (parcel.waybill_claims ?? []).length > 1;
  return (
    <div className={styles['notices']}>
      {parcel.state_code === stateCode.ordering && reason === '' && (
        <Notice tone="info">{t('expresses.ordering_long')}</Notice>
      )}
      {missing !== null ? (
        <Notice tone="warn">
          {ahead > 0
            ? t('expresses.missing_long_queue', { amount: yuan(missing), count: ahead })
            : t('expresses.missing_long', { amount: yuan(missing) })}
        </Notice>
      ) : (
        reason !== '' && !chooses && <Notice tone={bad ? 'danger' : 'warn'}>{reason}</Notice>
      )}
      {parcel.confirming !== null && (
        <Notice tone="info">
          {t('expresses.confirming', { state: wordOf(expressStates, parcel.confirming, language) })}{' '}
          · {t('expresses.confirming_long')}
        </Notice>
      )}
      {decides ? (
        <OutcomeReview key={parcel.id} parcel={parcel} />
      ) : (
        <WaybillChoice parcel={parcel} />
      )}
      <ChargeReview parcel={parcel} />
      {parcel.exception === 'left_behind' && parcel.handled_at === null && (
        <Notice tone="warn">{t('parcel.exception_do.left_behind')}</Notice>
      )}
      {isPickupMissed(parcel) && (
        <Notice tone="warn">
          {t('parcel.exception_do.missed', { window: pickupOf(parcel, locale) ?? '' })}
        </Notice>
      )}
      {parcel.modifying === 1 && <Notice tone="info">{t('expresses.modifying_long')}</Notice>}
      {parcel.canceling === 1 && (
        <Notice tone="info">
          {t(isOutcomeOpen(parcel) ? 'expresses.canceling_undecided' : 'expresses.canceling_long')}
        </Notice>
      )}
      {parcel.intercepting === 1 && <Notice tone="info">{t('expresses.intercepting_long')}</Notice>}
      {parcel.need_retry === 1 && <Notice tone="info">{t('expresses.sorting_long')}</Notice>}
      {parcel.return_delivery_id !== null && (
        <Notice tone="info">
          {t('expresses.return_delivery_id')} <Waybill number={parcel.return_delivery_id} />
        </Notice>
      )}
    </div>
  );
};

const weightWords = (parcel: Express, language: Language): string =>
  parcel.weight_reason ? weightText(parcel.weight_reason, language) : parcel.weight_message;

const Weights = ({ parcel }: { parcel: Express }) => {
  const { t, language } = useTexts();
  const sizes = parcel.length > 0 ? `${parcel.length} × ${parcel.width} × ${parcel.height} cm` : '';
  return (
    <Facts
      facts={[
        {
          key: 'weight',
          label: t('expresses.weight_declared'),
          value: parcel.weight > 0 && <Weight grams={parcel.weight} />,
        },
        {
          key: 're_weight',
          label: t('expresses.re_weight'),
          value: <Weight grams={parcel.re_weight} />,
        },
        {
          key: 'jd_weight',
          label: t('expresses.jd_weight'),
          value: <Weight grams={parcel.jd_weight} />,
        },
        {
          key: 'cal_weight',
          label: t('expresses.cal_weight'),
          value: <Weight grams={parcel.cal_weight} />,
        },
        { key: 'size', label: t('expresses.size'), value: sizes },
        { key: 'pieces', label: t('expresses.pieces'), value: parcel.package_count },
        ...(parcel.cal_weight === null
          ? []
          : [
              {
                key: 'why',
                label: t('expresses.weight_message'),
                value: weightWords(parcel, language),
                wide: true,
              },
            ]),
      ]}
    />
  );
};

export const OverviewTab = ({ parcel }: { parcel: Express }) => {
  const { t, locale } = useTexts();
  const format = useFormat();
  return (
    <>
      <Notices parcel={parcel} />
      <Route parcel={parcel} />
      <ol className={styles['steps']} aria-label={t('expresses.progress')}>
        {stepsOf(parcel).map((step) => (
          <li key={step.key} data-done={step.done || undefined}>
            {t(`expresses.step.${step.key}`)}
            <br />
            {step.at === null ? (
              <span aria-hidden>&nbsp;</span>
            ) : (
              <time dateTime={step.at}>{format.time(step.at)}</time>
            )}
          </li>
        ))}
      </ol>
      {parcel.delivery_id !== null && <ParcelHandovers id={parcel.id} />}
      <section className={styles['section']}>
        <h2>{t('expresses.parcel')}</h2>
        <Weights parcel={parcel} />
      </section>
      <section className={styles['section']}>
        <h2>{t('expresses.order')}</h2>
        <Facts
          facts={[
            {
              key: 'order_id',
              label: t('expresses.order_id'),
              value: <CodeText code={parcel.order_id} />,
            },
            {
              key: 'thr',
              label: t('expresses.thr_order_id'),
              value: parcel.thr_order_id && <CodeText code={parcel.thr_order_id} />,
            },
            { key: 'promise', label: t('expresses.promise'), value: parcel.promise_name },
            {
              key: 'trans',
              label: t('expresses.trans_type'),
              value: parcel.trans_type === 2 ? t('expresses.by_air') : t('expresses.by_road'),
            },
            { key: 'pickup', label: t('store.pickup'), value: pickupOf(parcel, locale) },
            { key: 'goods', label: t('expresses.goods'), value: parcel.goods },
            {
              key: 'insured',
              label: t('expresses.insured'),
              value: parcel.guarantee_value_amount > 0 && (
                <Money fen={parcel.guarantee_value_amount} />
              ),
            },
            {
              key: 'amount',
              label: t('common.post_amount'),
              value: parcel.voucher_id !== null && <Money fen={parcel.post_amount} />,
            },
            ...('jd_amount' in parcel
              ? [
                  {
                    key: 'cost',
                    label: t('expresses.jd_amount'),
                    value: <Money fen={parcel.jd_amount} />,
                  },
                ]
              : []),
            ...(parcel.customer_code === undefined
              ? []
              : [
                  {
                    key: 'customer',
                    label: t('expresses.customer_code'),
                    value: parcel.customer_code && <CodeText code={parcel.customer_code} />,
                  },
                ]),
            { key: 'station', label: t('common.station'), value: parcel.station_name },
            { key: 'user', label: t('expresses.user'), value: parcel.user_nickname },
            {
              key: 'created',
              label: t('expresses.created'),
              value: (
                <time
                  className="tabular"
                  dateTime={parcel.created_at}
                  title={format.moment(parcel.created_at)}
                >
                  {format.dateTime(parcel.created_at)}
                </time>
              ),
            },
            {
              key: 'prints',
              label: t('expresses.prints_long'),
              value:
                parcel.printed_at === null
                  ? '0'
                  : t('expresses.printed', {
                      count: parcel.print_count,
                      time: format.time(parcel.printed_at),
                    }),
            },
            { key: 'remark', label: t('expresses.remark'), value: parcel.remark, wide: true },
            {
              key: 'description',
              label: t('common.description'),
              value: parcel.description,
              wide: true,
            },
          ].map((fact) => ({ ...fact, value: fact.value === false ? null : fact.value }))}
        />
      </section>
    </>
  );
};
