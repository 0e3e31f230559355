import type { CarrierPart } from '@waystation/contract/network/provider.ts';
import { LockOutlined, PushpinFilled, PushpinOutlined } from '@ant-design/icons-svg';
import { noteLength, orderNumberLength, remarkLength } from '@waystation/contract/base/limits.ts';
import { kgText } from '@waystation/contract/base/weight.ts';
import { parseYuan } from '@waystation/contract/money/money.ts';
import type { KeyboardEvent, ReactNode } from 'react';
import { keyCaps } from '#base/keys.ts';
import { useTexts } from '#base/texts.ts';
import { yuan } from '#ui/values/amounts.ts';
import { Button } from '#ui/button.tsx';
import { Combobox } from '#ui/fields/combobox.tsx';
import { Icon } from '#ui/icon.tsx';
import { SelectField } from '#ui/fields/choice-fields.tsx';
import { labelWords } from '#parcels/orders/carrier-text.ts';
import { TextField } from '#ui/fields/text-field.tsx';
import primitives from '#ui/primitives.module.css';
import type { Options, Pinnable } from '#parcels/orders/form.ts';
import { useScaleWeight } from '#parcels/bench/use-scale-weight.ts';
import { nextWeight } from './habits.ts';
import styles from './store.module.css';
import type { FormState } from './use-form.ts';

const Pin = ({
  pins,
  onToggle,
  pin,
  field,
}: {
  pins: readonly Pinnable[];
  onToggle: (pin: Pinnable) => void;
  pin: Pinnable;
  field: string;
}) => {
  const { t } = useTexts();
  const set = pins.includes(pin);
  const words = set ? t('store.unpin', { field }) : t('store.pin', { field });
  return (
    <Button
      type="text"
      size="small"
      className={styles['pin'] ?? ''}
      tabIndex={-1}
      aria-label={words}
      aria-pressed={set}
      aria-keyshortcuts="Alt+P"
      title={`${words} (${keyCaps('alt+p')[0]?.join(' ') ?? ''})`}
      icon={set ? <Icon of={PushpinFilled} /> : <Icon of={PushpinOutlined} />}
      onClick={() => onToggle(pin)}
    />
  );
};

/** A lock icon for fields that cannot be changed any more. */
export const Locked = () => {
  const { t } = useTexts();
  return (
    <span className={primitives['note']}>
      <Icon of={LockOutlined} /> {t('store.locked')}
    </span>
  );
};

/**
 * The insurance fee for the declared value, raised to the carrier account's minimum. It is the
 * price of the lowest tier that covers this value.
 */
export const insuranceHint = (
  insured: string,
  { guarantees, guarantee }: Pick<Options, 'guarantees' | 'guarantee'>,
): { fee: number | null; least: number | null; top: number | null } | null => {
  const declared = insured.trim() === '' ? 0 : parseYuan(insured);
  if (declared === null) return null;
  const value = Math.max(declared, guarantee);
  if (value === 0) return null;
  const tier = guarantees.find(({ money }) => money >= value);
  return {
    fee: tier?.price ?? null,
    least: guarantee > declared ? guarantee : null,
    top: tier ? null : (guarantees.at(-1)?.money ?? 0),
  };
};

const sizes = ['length', 'width', 'height'] as const;

/**
 * The length, width and height of one package in whole centimetres. Each field shows the first
 * letter of its name.
 */
const Sizes = ({ form, set, errors }: Pick<FormState, 'form' | 'set' | 'errors'>) => {
  const { t } = useTexts();
  return (
    <fieldset className={styles['sizes']}>
      <legend>{t('store.sizes')}</legend>
      {sizes.map((size) => {
        const label = t(`store.${size}`);
        return (
          <TextField
            key={size}
            bare
            label={label}
            name={size}
            value={form[size]}
            onChange={(next) => set({ [size]: next })}
            numeric
            error={errors[size]}
            placeholder={label.slice(0, 1)}
          />
        );
      })}
    </fieldset>
  );
};

/** The field for the weight. The key ↓ fills in the usual weight of these goods at this station. */
const WeightField = ({
  weight: typed,
  set,
  error,
  usual,
  pin,
}: Pick<FormState, 'set' | 'usual'> & {
  weight: string;
  error: string | undefined;
  pin: ReactNode;
}) => {
  const { t } = useTexts();
  const isOnScale = useScaleWeight((grams) => set({ weight: kgText(grams) }));
  const onKeyDown = (event: KeyboardEvent): void => {
    const weight = event.key === 'ArrowDown' && !isOnScale ? nextWeight(usual, typed) : undefined;
    if (weight === undefined) return;
    event.preventDefault();
    set({ weight });
  };
  return (
    <TextField
      label={t('store.weight')}
      name="weight"
      value={typed}
      onChange={(weight) => set({ weight })}
      onKeyDown={onKeyDown}
      numeric
      required
      error={error}
      readOnly={isOnScale}
      hint={isOnScale ? t('store.weight_of_scale') : undefined}
      // The hint is the placeholder inside the field, so that no element moves when a weight is
      // typed.
      placeholder={
        usual.length > 0 && !isOnScale
          ? t('store.usual_weight', { weights: usual.join(' / ') })
          : undefined
      }
      suffix="kg"
      after={pin}
    />
  );
};

interface GoodsProps {
  state: FormState;
  options: Options | undefined;
  /** True if the carrier already has the parcel. */
  fixed: boolean;
  /** True if the carrier already has the parcel and does not permit changes to this part of it. */
  isFixed: (part: CarrierPart) => boolean;
}

/** The card with goods, weight, number of pieces, dimensions, declared value and remark. */
export const GoodsCard = ({ state, options, fixed, isFixed }: GoodsProps) => {
  const { t, language } = useTexts();
  const { form, set, errors, pins, togglePin, usual } = state;
  const left = labelWords(form.remark, language);
  const hint = options ? insuranceHint(form.insured, options) : null;
  const insuredWords =
    hint === null
      ? undefined
      : hint.top !== null
        ? t('store.insured_above', { top: yuan(hint.top) })
        : [
            hint.fee !== null ? t('store.insured_fee', { fee: yuan(hint.fee) }) : '',
            hint.least !== null ? t('store.insured_least', { least: yuan(hint.least) }) : '',
          ]
            .filter(Boolean)
            .join(' · ');
  /**
   * Disables a field whose value can no longer be changed. The notice on the page gives the reason.
   */
  const lockOf = (part: CarrierPart) => isFixed(part) && { disabled: true, after: <Locked /> };
  return (
    <section className={`${primitives['card']} ${styles['card']}`} aria-labelledby="store-parcel">
      <h2 id="store-parcel">{t('store.parcel')}</h2>
      <fieldset className={styles['plain']} disabled={fixed} aria-label={t('store.goods')}>
        <Combobox
          label={t('store.goods')}
          name="goods"
          value={form.goods}
          options={(options?.cargos ?? []).map(({ name, banned, banned_reason }) => ({
            value: name,
            label: name,
            ...(banned === 1 && {
              blocked: true,
              note: t('store.goods_banned', { reason: banned_reason }),
            }),
          }))}
          onChange={(goods) => set({ goods })}
          placeholder={t('store.goods_placeholder')}
          required
          error={errors['goods']}
          hint={labelWords(form.goods, language)}
          after={
            fixed ? (
              <Locked />
            ) : (
              <Pin pins={pins} onToggle={togglePin} pin="goods" field={t('store.goods')} />
            )
          }
        />
      </fieldset>
      <div className={styles['pair']}>
        <WeightField
          weight={form.weight}
          set={set}
          error={errors['weight']}
          usual={usual}
          pin={<Pin pins={pins} onToggle={togglePin} pin="weight" field={t('store.weight')} />}
        />
        <TextField
          label={t('store.pieces')}
          name="package_count"
          value={form.package_count}
          onChange={(package_count) => set({ package_count })}
          numeric
          required
          error={errors['package_count']}
          {...lockOf('package_count')}
        />
      </div>
      <div className={styles['pair']}>
        <Sizes form={form} set={set} errors={errors} />
        <TextField
          label={t('store.insured')}
          name="insured"
          value={form.insured}
          onChange={(insured) => set({ insured })}
          numeric
          prefix="¥"
          error={errors['insured']}
          hint={insuredWords}
          after={<Pin pins={pins} onToggle={togglePin} pin="insured" field={t('store.insured')} />}
          {...lockOf('insured_value')}
        />
      </div>
      <TextField
        label={t('store.remark')}
        name="remark"
        value={form.remark}
        onChange={(remark) => set({ remark })}
        max={remarkLength}
        error={errors['remark']}
        doubtful={left !== undefined}
        hint={left ?? (form.remark === '' ? undefined : t('store.remark_hint'))}
        {...lockOf('remark')}
      />
      <details className={styles['more']}>
        <summary>{t('store.more')}</summary>
        <TextField
          label={t('store.description')}
          name="description"
          value={form.description}
          onChange={(description) => set({ description })}
          max={noteLength}
          lines={2}
          error={errors['description']}
          {...lockOf('description')}
        />
        <SelectField
          disabled={fixed}
          label={t('store.trans_type')}
          name="trans_type"
          value={form.trans_type}
          options={[
            { value: '1', label: t('store.by_road') },
            { value: '2', label: t('store.by_air') },
          ]}
          onChange={(trans_type) => set({ trans_type: trans_type ?? '1' })}
        />
        <TextField
          disabled={fixed}
          label={t('store.thr_order_id')}
          name="thr_order_id"
          value={form.thr_order_id}
          onChange={(thr_order_id) => set({ thr_order_id })}
          max={orderNumberLength}
          error={errors['thr_order_id']}
          hint={labelWords(form.thr_order_id, language)}
        />
      </details>
    </section>
  );
};
