import { useState } from 'react';
import { quoteVoucher } from '@waystation/contract/money/voucher.ts';
import { errorText } from '#base/error-text.ts';
import type { PlaceNames, Divisions } from '@waystation/contract/parcels/divisions.ts';
import type { TemplateState } from '@waystation/contract/money/voucher-diff.ts';
import { useCall } from '#base/query.ts';
import { errorWords } from '#base/api-error.ts';
import { useTexts } from '#base/texts.ts';
import { StationPicker, useSettled } from '#resource/stations/station-picker.tsx';
import { AddressCascader } from '#ui/fields/address-cascader.tsx';
import { useDivisions } from '#ui/fields/divisions.ts';
import { MoneyField, NumberField, WeightField } from '#ui/fields/number-fields.tsx';
import { Notice } from '#ui/notice.tsx';
import { Money } from '#ui/values/money.tsx';
import { lazyComponent } from '#ui/lazy.tsx';
import styles from './editor.module.css';

/** Its file is loaded when the first price is requested. */
const WhyPanel = lazyComponent(async () => (await import('#money/why-panel.tsx')).WhyPanel);

interface Props {
  id: number;
  /** The state of the edited draft. */
  state: TemplateState;
}

const codeOf = (
  divisions: Divisions | null,
  { province, city, county }: PlaceNames,
): string | null => {
  const found = divisions?.provinces.find(({ name }) => name === province);
  const inside = found?.children.find(({ name }) => name === city);
  return (inside?.children.find(({ name }) => name === county) ?? inside ?? found)?.code ?? null;
};

const settle = 250;
const from: PlaceNames = { province: '广东省', city: '深圳市', county: '' };
const to: PlaceNames = { province: '四川省', city: '成都市', county: '' };
const known = (value: number | null): value is number =>
  value !== null && !Number.isNaN(value) && value > 0;

/**
 * Calculates the price of a sample parcel with the draft while the user types, and explains the
 * price.
 */
export const Tester = ({ id, state }: Props) => {
  const { t, language } = useTexts();
  const { divisions } = useDivisions(true);
  const [ends, setEnds] = useState({ from, to });
  const [weight, setWeight] = useState<number | null>(3_000);
  const [sizes, setSizes] = useState<{
    length: number | null;
    width: number | null;
    height: number | null;
  }>({ length: null, width: null, height: null });
  const [insured, setInsured] = useState<number | null>(null);
  const [station, setStation] = useState<{ id: number | null; name: string }>({
    id: null,
    name: '',
  });
  const [sender_code, receive_code] = [codeOf(divisions, ends.from), codeOf(divisions, ends.to)];
  const settled = useSettled(
    JSON.stringify(
      sender_code && receive_code && known(weight)
        ? {
            id,
            sender_code,
            receive_code,
            weight,
            ...Object.fromEntries(Object.entries(sizes).filter(([, value]) => known(value))),
            ...(known(insured) && { guarantee_value_amount: insured }),
            ...(station.id !== null && { station_id: station.id }),
            draft: state,
          }
        : null,
    ),
    settle,
  );
  const { data, error } = useCall(quoteVoucher, JSON.parse(settled), {
    keep: true,
    quiet: true,
    staleTime: 60_000,
  });
  return (
    <section className={styles['tester']} aria-label={t('vouchers.tester')}>
      <h2>{t('vouchers.tester')}</h2>
      <AddressCascader
        label={t('vouchers.from')}
        value={ends.from}
        onChange={(place) => setEnds({ ...ends, from: place })}
      />
      <AddressCascader
        label={t('vouchers.to')}
        value={ends.to}
        onChange={(place) => setEnds({ ...ends, to: place })}
      />
      <div className={styles['pair']}>
        <WeightField
          label={t('vouchers.weight')}
          value={weight}
          onChange={setWeight}
          name="tester_weight"
        />
        <MoneyField label={t('vouchers.insured')} value={insured} onChange={setInsured} />
      </div>
      <div className={styles['sizes']}>
        {(['length', 'width', 'height'] as const).map((side) => (
          <NumberField
            key={side}
            label={t(`vouchers.${side}`)}
            value={sizes[side]}
            suffix="cm"
            onChange={(value) => setSizes({ ...sizes, [side]: value })}
          />
        ))}
      </div>
      <StationPicker
        label={t('vouchers.as_station')}
        value={station.id}
        shown={station.name}
        clearable
        onChange={(chosen, name) => setStation({ id: chosen, name })}
      />
      <div className={styles['price']} aria-live="polite" aria-atomic>
        {error && <Notice tone="warn">{errorWords(error, language)}</Notice>}
        {!error && data?.reason && (
          <Notice tone="warn">{errorText(data.reason.code, data.reason.params, language)}</Notice>
        )}
        {!error && data?.price && (
          <>
            <p className={styles['sum']}>
              <Money fen={data.price.post_amount} />
              {data.price.northeast === 1 && (
                <span className={styles['quiet']}>{t('vouchers.is_northeast')}</span>
              )}
            </p>
            <WhyPanel
              price={data.price}
              cal_weight={data.price.cal_weight}
              heading={t('vouchers.tester')}
              brief
            />
          </>
        )}
        {!error && !data && <p className={styles['quiet']}>{t('vouchers.tester_hint')}</p>}
      </div>
    </section>
  );
};
