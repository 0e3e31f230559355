import { createStation, editStation, getStation } from '@waystation/contract/network/station.ts';
import type { Station } from '@waystation/contract/network/station.ts';
import { formatYuan, percentText } from '@waystation/contract/money/money.ts';
import { call } from '#base/call.ts';
import { useCall } from '#base/query.ts';
import { useUser } from '#shell/session/session.ts';
import { useTexts } from '#base/texts.ts';
import { useDiscountQuestion } from '#money/discount-question.ts';
import { FormDrawer } from '#resource/form/form-drawer.tsx';
import { useRecordForm } from '#resource/form/use-record-form.ts';
import type { RecordForm } from '#resource/form/use-record-form.ts';
import { StationPicker } from '#resource/stations/station-picker.tsx';
import { AddressCascader } from '#ui/fields/address-cascader.tsx';
import { SelectField, SwitchField } from '#ui/fields/choice-fields.tsx';
import { DiscountField, MoneyField, RateField } from '#ui/fields/number-fields.tsx';
import { Notice } from '#ui/notice.tsx';
import { TextField } from '#ui/fields/text-field.tsx';
import { useAuthorities } from './authority.ts';
import { sent, valuesOf } from './form-values.ts';
import type { StationValues } from './form-values.ts';
import { OfferRuleFields } from './offer-rule-fields.tsx';
import { Pays } from './pays.tsx';
import { useOfficeChoices } from './use-office-choices.ts';
import { useStationWords } from './words.ts';
import { addressLength, nameLength, noteLength } from '@waystation/contract/base/limits.ts';

type Form = RecordForm<StationValues, Station>;

/** The problems of the fields, checked before the form is sent. */
const useCheck = (row: Station | null) => {
  const { t } = useTexts();
  const discount = (rate: number | null) =>
    rate !== null && (rate < 1 || rate > 10_000) ? t('stations.discount_bounds') : undefined;
  return (values: StationValues): Partial<Record<keyof StationValues, string | undefined>> => ({
    name:
      values.name.trim() === ''
        ? t('common.required')
        : [...values.name.trim()].length > nameLength
          ? t('common.too_long', { max: nameLength })
          : undefined,
    discount: discount(values.discount),
    northeast_discount: discount(values.northeast_discount),
    profit:
      values.profit !== null && (values.profit < 0 || values.profit > 10_000)
        ? t('stations.profit_bounds')
        : undefined,
    profit_limit:
      values.profit_limit !== null && (values.profit_limit < 0 || values.profit_limit > 10_000)
        ? t('stations.profit_bounds')
        : undefined,
    reason:
      values.has_amount === 0 && row?.has_amount !== 0 && values.reason.trim() === ''
        ? t('stations.reason_missing')
        : undefined,
  });
};

const Basics = ({ form, parent }: { form: Form; parent: Station | null }) => {
  const { t } = useTexts();
  const { office } = useAuthorities();
  const { station_name } = useUser();
  const { province, city, county, parent_id } = form.values;
  const error =
    form.field('province').error ?? form.field('city').error ?? form.field('county').error;
  const place = { label: t('stations.place'), name: 'province', value: { province, city, county } };
  return (
    <>
      <h3>{t('stations.basics')}</h3>
      <TextField {...form.field('name')} required max={nameLength} />
      {form.isNew && (
        <StationPicker
          label={t('stations.parent')}
          value={parent_id}
          shown={parent?.name ?? station_name ?? undefined}
          onChange={(id) => form.set('parent_id', id)}
          error={form.field('parent_id').error}
          clearable={office}
          hint={t('stations.parent_hint')}
        />
      )}
      <AddressCascader
        {...place}
        error={error}
        onChange={(next) => {
          form.set('province', next.province);
          form.set('city', next.city);
          form.set('county', next.county);
        }}
      />
      <TextField {...form.field('address')} max={addressLength} />
    </>
  );
};

const Sender = ({ form }: { form: Form }) => (
  <>
    <TextField {...form.field('sender_name')} max={nameLength} />
    <TextField {...form.field('sender_phone')} />
  </>
);

const PriceTerms = ({ form, row }: { form: Form; row: Station | null }) => {
  const { t } = useTexts();
  const words = useStationWords();
  const { office } = useAuthorities();
  const { projects } = useOfficeChoices();
  const { values } = form;
  return (
    <>
      <h3>{t('stations.price_group')}</h3>
      {office && (
        <SelectField
          {...form.field('project_id')}
          options={projects}
          none={t('stations.no_project')}
        />
      )}
      <div data-span={office ? undefined : true}>
        <SwitchField
          {...form.field('allow_select')}
          words={words.allow_select.show(values.allow_select)}
        />
      </div>
      <OfferRuleFields form={form} />
      <DiscountField {...form.field('discount')} hint={t('stations.discount_hint')} />
      <DiscountField {...form.field('northeast_discount')} hint={t('stations.northeast_hint')} />
      <Pays like={row?.id ?? values.parent_id} values={values} office={office} />
    </>
  );
};

const MoneyTerms = ({ form, row }: { form: Form; row: Station | null }) => {
  const { t } = useTexts();
  const words = useStationWords();
  const { merchants } = useOfficeChoices();
  const { values } = form;
  return (
    <>
      <h3>{t('stations.money_group')}</h3>
      <SwitchField
        {...form.field('has_amount')}
        words={words.has_amount.show(values.has_amount)}
        hint={t('stations.money_hint')}
      />
      <MoneyField {...form.field('fixed_freeze')} hint={t('stations.fixed_freeze_hint')} />
      <MoneyField
        {...form.field('low_balance')}
        hint={t('stations.low_balance_hint')}
        disabled={values.has_amount === 0}
      />
      <MoneyField
        {...form.field('credit_limit')}
        hint={t('stations.credit_limit_hint')}
        disabled={values.has_amount === 1}
      />
      {values.has_amount === 0 && row?.has_amount !== 0 && (
        <div data-span>
          <TextField
            {...form.field('reason')}
            required
            max={noteLength}
            lines={2}
            hint={t('stations.has_amount_reason')}
          />
        </div>
      )}
      <SelectField
        {...form.field('customer_code')}
        value={values.customer_code === '' ? null : values.customer_code}
        onChange={(code) => form.set('customer_code', code ?? '')}
        options={merchants}
        none={t('stations.default_merchant')}
      />
    </>
  );
};

/**
 * The limits that an administrator set on the partner's station for the profit shares of the
 * stations below it. Empty if the user is an administrator.
 */
const useShareLimits = (): { profit?: string; fixed_profit?: string } => {
  const { t } = useTexts();
  const { office } = useAuthorities();
  const { station_id } = useUser();
  const { data } = useCall(getStation, office || station_id === null ? null : { id: station_id }, {
    quiet: true,
    staleTime: 30_000,
  });
  if (!data) return {};
  return {
    profit: t('stations.share_limit', { limit: `${percentText(data.profit_limit)}%` }),
    fixed_profit: t('stations.share_limit', { limit: `¥${formatYuan(data.fixed_profit_limit)}` }),
  };
};

const ProfitTerms = ({ form }: { form: Form }) => {
  const { t } = useTexts();
  const { office } = useAuthorities();
  const limits = useShareLimits();
  const words = useStationWords();
  const { values } = form;
  return (
    <>
      <h3>{t('stations.profit_group')}</h3>
      <div data-span>
        <SwitchField
          {...form.field('enable_profit')}
          words={words.enable_profit.show(values.enable_profit)}
        />
      </div>
      <RateField
        {...form.field('profit')}
        hint={limits.profit ?? t('stations.profit_hint')}
        disabled={values.enable_profit === 0}
      />
      <MoneyField
        {...form.field('fixed_profit')}
        hint={limits.fixed_profit ?? t('stations.fixed_profit_hint')}
        disabled={values.enable_profit === 0}
      />
      {office && (
        <RateField {...form.field('profit_limit')} hint={t('stations.profit_limit_hint')} />
      )}
      {office && (
        <MoneyField
          {...form.field('fixed_profit_limit')}
          hint={t('stations.fixed_profit_limit_hint')}
        />
      )}
      <h3>{t('stations.print_group')}</h3>
      <SwitchField
        {...form.field('allow_print')}
        words={words.allow_print.show(values.allow_print)}
      />
    </>
  );
};

interface Props {
  /** Null to create a new station. */
  row: Station | null;
  /** The parent of the station to create. */
  parent: Station | null;
  /** True if the setup guide opens after a new station is saved. */
  guided?: boolean;
  onSaved: (row: Station, again: boolean) => void;
  onClose: () => void;
}

/** The form with those fields of the station that this user may set. */
export const StationForm = ({ row, parent, guided = false, onSaved, onClose }: Props) => {
  const { t } = useTexts();
  const { of, office } = useAuthorities();
  const { station_id } = useUser();
  const { projects } = useOfficeChoices();
  const own = row !== null && of(row) === 'own';
  const words = useStationWords({
    projects: Object.fromEntries(projects.map(({ value, label }) => [value, label])),
  });
  const { status: _, ...labels } = words;
  const form = useRecordForm<StationValues, Station>({
    name: 'stations',
    row,
    valuesOf: (shown) =>
      valuesOf(
        shown,
        parent ??
          (station_id === null ? null : { id: station_id, project_id: null, customer_code: '' }),
      ),
    words: labels,
    check: useCheck(row),
    ask: useDiscountQuestion({
      discount: words.discount.label,
      northeast_discount: words.northeast_discount.label,
    }),
    create: (values) =>
      call(createStation, { ...sent(values, office), name: values.name, guided: guided ? 1 : 0 }),
    edit: (id, version, changes) => call(editStation, { id, version, ...sent(changes, office) }),
  });
  return (
    <FormDrawer
      form={form}
      title={
        row
          ? t('lists.edit_title', { name: row.name })
          : parent
            ? `${t('stations.new_below')} · ${parent.name}`
            : t(guided ? 'stations.setup_new' : 'stations.new')
      }
      onSaved={onSaved}
      onClose={onClose}
      wide={!own}
    >
      {own ? (
        <>
          <Notice tone="info">{t('stations.sender_only')}</Notice>
          <Sender form={form} />
        </>
      ) : (
        <>
          <Basics form={form} parent={parent} />
          <Sender form={form} />
          <PriceTerms form={form} row={row} />
          {office && <MoneyTerms form={form} row={row} />}
          <ProfitTerms form={form} />
        </>
      )}
    </FormDrawer>
  );
};
