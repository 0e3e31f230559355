import { accountSchemas } from '@waystation/contract/network/merchant-accounts.ts';
import type { AccountField } from '@waystation/contract/network/merchant-accounts.ts';
import {
  createMerchant,
  editMerchant,
  secretFields,
} from '@waystation/contract/network/merchant.ts';
import type { Merchant } from '@waystation/contract/network/merchant.ts';
import { normalisePhone } from '@waystation/contract/parcels/phone.ts';
import {
  firstProvider,
  offeredProviders,
  providers,
} from '@waystation/contract/network/provider.ts';
import type { Provider } from '@waystation/contract/network/provider.ts';
import { call } from '#base/call.ts';
import { useTexts } from '#base/texts.ts';
import { FormDrawer } from '#resource/form/form-drawer.tsx';
import { useRecordForm } from '#resource/form/use-record-form.ts';
import type { RecordForm } from '#resource/form/use-record-form.ts';
import { AddressCascader } from '#ui/fields/address-cascader.tsx';
import { SelectField, SwitchField } from '#ui/fields/choice-fields.tsx';
import { MomentField, unreadableMoment } from '#ui/fields/moment-field.tsx';
import { MoneyField } from '#ui/fields/number-fields.tsx';
import { TextField } from '#ui/fields/text-field.tsx';
import styles from './merchants.module.css';
import { useMerchantWords } from './words.ts';
import {
  addressLength,
  merchantCodeLength,
  nameLength,
  shortNameLength,
  urlLength,
} from '@waystation/contract/base/limits.ts';
import { wordOf } from '@waystation/contract/base/word-of.ts';

interface Values {
  name: string;
  provider: Provider | null;
  customer_code: string;
  app_key: string;
  app_secret: string;
  access_token: string;
  token_expires_at: string | null;
  base_url: string;
  guarantee: number | null;
  warehouse_code: string;
  sender_name: string;
  sender_phone: string;
  province: string;
  city: string;
  county: string;
  address: string;
  simulated: 0 | 1;
  prefetch_numbers: 0 | 1;
}

const valuesOf = (row: Merchant | null): Values => ({
  name: row?.name ?? '',
  provider: row?.provider ?? firstProvider,
  customer_code: row?.customer_code ?? '',
  app_key: '',
  app_secret: '',
  access_token: '',
  token_expires_at: row?.token_expires_at ?? null,
  base_url: row?.base_url ?? accountSchemas[firstProvider]?.hosts.live ?? '',
  guarantee: row?.guarantee ?? 0,
  warehouse_code: row?.warehouse_code ?? '',
  sender_name: row?.sender_name ?? '',
  sender_phone: row?.sender_phone ?? '',
  province: row?.province ?? '',
  city: row?.city ?? '',
  county: row?.county ?? '',
  address: row?.address ?? '',
  simulated: row?.simulated === 1 ? 1 : 0,
  prefetch_numbers: row?.prefetch_numbers === 1 ? 1 : 0,
});

/**
 * True if a URL is an address of a known carrier. Such a URL is replaced when the user chooses
 * another carrier.
 */
const isOwnHost = (base_url: string): boolean =>
  Object.values(accountSchemas).some(({ hosts }) => Object.values(hosts).includes(base_url));

const schemaOf = (provider: Provider | null) =>
  provider === null ? undefined : accountSchemas[provider];
const fieldsOf = (provider: Provider | null): readonly AccountField[] =>
  schemaOf(provider)?.fields ?? [];

/** True if accounts with this carrier have an access token, which expires. */
const hasToken = (provider: Provider | null): boolean =>
  fieldsOf(provider).some(({ name }) => name === 'access_token');

const useCheck = (row: Merchant | null) => {
  const { t } = useTexts();
  const missing = (value: string): string | undefined =>
    value.trim() === '' ? t('common.required') : undefined;
  return (values: Values): Partial<Record<keyof Values, string | undefined>> => {
    const required = Object.fromEntries(
      fieldsOf(values.provider).map(({ name, required, secret }) => [
        name,
        required && !(secret && row?.secret_tails[name as 'app_key'])
          ? missing(values[name])
          : undefined,
      ]),
    );
    const spaced = secretFields
      .filter((name) => /\s/.test(values[name].trim()))
      .map((name) => [name, t('merchants.secret_invalid')]);
    return {
      ...required,
      ...Object.fromEntries(spaced),
      name: missing(values.name),
      customer_code:
        missing(values.customer_code) ??
        (/^[\w.-]+$/.test(values.customer_code.trim()) ? undefined : t('merchants.code_invalid')),
      base_url:
        missing(values.base_url) ??
        (URL.canParse(values.base_url.trim()) ? undefined : t('merchants.url_invalid')),
      token_expires_at:
        values.token_expires_at === unreadableMoment ? t('common.moment_invalid') : undefined,
      guarantee: values.guarantee === null ? t('common.required') : undefined,
      sender_name: missing(values.sender_name),
      sender_phone:
        missing(values.sender_phone) ??
        (normalisePhone(values.sender_phone) === null ? t('merchants.phone_invalid') : undefined),
    };
  };
};

/**
 * The fields for the keys that the carrier issues in its own console. The schema of the carrier
 * determines which fields there are.
 */
const Keys = ({ form, row }: { form: RecordForm<Values, Merchant>; row: Merchant | null }) => {
  const { t, language } = useTexts();
  const hint = ({ name }: AccountField): string => {
    const tail = row?.secret_tails[name as 'app_key'];
    return tail ? t('merchants.secret_kept', { tail }) : t('merchants.secret_none');
  };
  return fieldsOf(form.values.provider).map((field) =>
    field.secret ? (
      <TextField
        key={field.name}
        {...form.field(field.name)}
        label={field[language]}
        required={field.required && row === null}
        {...(row && {
          hint: hint(field),
          placeholder: row.secret_tails[field.name as 'app_key'] ? '••••••••' : '',
        })}
      />
    ) : (
      <TextField
        key={field.name}
        {...form.field(field.name)}
        label={field[language]}
        required
        disabled={row?.customer_code_fixed === 1}
        {...(row?.customer_code_fixed === 1 && { hint: t('merchants.code_fixed') })}
      />
    ),
  );
};

/**
 * The field for the carrier's URL. It has a button for each known URL of the carrier, and accepts
 * any other URL.
 */
const BaseUrl = ({ form }: { form: RecordForm<Values, Merchant> }) => {
  const { t } = useTexts();
  const hosts = schemaOf(form.values.provider)?.hosts;
  const names = {
    live: t('merchants.use_live'),
    sandbox: t('merchants.use_sandbox'),
    test: t('merchants.use_test'),
  };
  return (
    <TextField
      {...form.field('base_url')}
      required
      max={urlLength}
      hint={t('merchants.base_url_hint')}
      after={
        hosts && (
          <span className={styles['hosts']}>
            {(['live', 'sandbox', 'test'] as const).map((kind) => {
              const host = hosts[kind];
              return (
                host && (
                  <button
                    key={kind}
                    type="button"
                    aria-pressed={form.values.base_url === host}
                    onClick={() => form.set('base_url', host)}
                  >
                    {names[kind]}
                  </button>
                )
              );
            })}
          </span>
        )
      }
    />
  );
};

interface Props {
  /** Null to create a new account. */
  row: Merchant | null;
  onSaved: (row: Merchant, again: boolean) => void;
  onClose: () => void;
}

const defined = <V extends object>(values: V): V =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as V;

export const MerchantForm = ({ row, onSaved, onClose }: Props) => {
  const { t, language } = useTexts();
  const words = useMerchantWords();
  const form = useRecordForm<Values, Merchant>({
    name: 'merchants',
    row,
    valuesOf,
    words,
    unkept: secretFields,
    check: useCheck(row),
    create: (values) =>
      call(createMerchant, { ...values, provider: values.provider!, guarantee: values.guarantee! }),
    edit: (id, version, { guarantee, ...changes }) =>
      call(editMerchant, {
        id,
        version,
        ...defined(changes),
        ...(typeof guarantee === 'number' && { guarantee }),
      }),
  });
  const { province, city, county } = form.values;
  return (
    <FormDrawer
      form={form}
      wide
      title={row ? t('lists.edit_title', { name: row.name }) : t('merchants.new')}
      onSaved={onSaved}
      onClose={onClose}
    >
      <TextField {...form.field('name')} required max={nameLength} />
      <SelectField
        {...form.field('provider')}
        required
        options={offeredProviders.map((code) => ({
          value: code,
          label: wordOf(providers, code, language),
        }))}
        onChange={(provider) => {
          form.set('provider', provider);
          const live = schemaOf(provider)?.hosts.live;
          if (live && isOwnHost(form.values.base_url)) form.set('base_url', live);
          // Clears the fields that the new carrier does not use, so that no value for the previous
          // carrier is kept.
          if (!hasToken(provider)) form.set('token_expires_at', null);
          if (!schemaOf(provider)?.hasWarehouse) form.set('warehouse_code', '');
        }}
        disabled={!form.isNew}
        {...(!form.isNew && { hint: t('merchants.provider_fixed') })}
      />
      <div data-span>
        <BaseUrl form={form} />
      </div>
      <h3>{t('merchants.secrets')}</h3>
      <p data-span className={styles['quiet']}>
        {t('merchants.secrets_hint')}
      </p>
      <Keys form={form} row={row} />
      {hasToken(form.values.provider) && <MomentField {...form.field('token_expires_at')} />}
      <h3>{t('merchants.sender')}</h3>
      <TextField {...form.field('sender_name')} required max={shortNameLength} />
      <TextField {...form.field('sender_phone')} required numeric />
      <AddressCascader
        name="province"
        label={t('merchants.place')}
        error={
          form.field('province').error ?? form.field('city').error ?? form.field('county').error
        }
        value={{ province, city, county }}
        onChange={(place) => {
          form.set('province', place.province);
          form.set('city', place.city);
          form.set('county', place.county);
        }}
      />
      <TextField {...form.field('address')} max={addressLength} />
      <h3>{t('lists.details')}</h3>
      <MoneyField {...form.field('guarantee')} required hint={t('merchants.guarantee_hint')} />
      {schemaOf(form.values.provider)?.hasWarehouse && (
        <TextField {...form.field('warehouse_code')} max={merchantCodeLength} />
      )}
      {schemaOf(form.values.provider)?.prefetches && (
        <SwitchField
          {...form.field('prefetch_numbers')}
          words={words.prefetch_numbers.show?.(form.values.prefetch_numbers)}
          hint={t('merchants.prefetch_hint')}
        />
      )}
      <SwitchField
        {...form.field('simulated')}
        words={words.simulated.show?.(form.values.simulated)}
      />
    </FormDrawer>
  );
};
