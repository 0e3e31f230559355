import { errorText } from '#base/error-text.ts';
import { accountSchemas, environmentOf } from '@waystation/contract/network/merchant-accounts.ts';
import type { AccountSchema } from '@waystation/contract/network/merchant-accounts.ts';
import type { Merchant } from '@waystation/contract/network/merchant.ts';
import { useFormat } from '#base/format.ts';
import { useTexts } from '#base/texts.ts';
import { shownValue } from '#resource/record/record-words.ts';
import { placeText } from '#ui/fields/address-cascader.tsx';
import { FactGroup } from '#ui/facts.tsx';
import type { Fact } from '#ui/facts.tsx';
import { CodeText } from '#ui/values/code-text.tsx';
import { Moment } from '#ui/values/moment.tsx';
import { Phone } from '#ui/values/waybill.tsx';
import { DefaultTag, Health, TokenEnd } from './columns.tsx';
import styles from './merchants.module.css';
import { PushAddress } from './push-address.tsx';
import { useEnvironment, useMerchantWords } from './words.ts';

/** The schema of the account's carrier; null if the product no longer supports that carrier. */
const schemaOf = ({ provider }: Merchant): AccountSchema | null => accountSchemas[provider] ?? null;

/** Shows the result of the account's last connection test. */
const Proof = ({ merchant: { proof } }: { merchant: Merchant }) => {
  const { t, language } = useTexts();
  if (!proof) return t('merchants.proof_none');
  return (
    <>
      {proof.ok === 1
        ? t('merchants.proof_ok', { ms: proof.ms })
        : proof.reason
          ? errorText(proof.reason.code, proof.reason.params, language)
          : t('merchants.failed')}
      <span className={styles['quiet']}>
        {' '}
        · <Moment at={proof.at} />
      </span>
    </>
  );
};

type PlainField = 'name' | 'provider' | 'guarantee' | 'warehouse_code';

const usePlainFact = (merchant: Merchant): ((key: PlainField) => Fact) => {
  const words = useMerchantWords();
  return (key) => ({
    key,
    label: words[key].label,
    value: shownValue(words[key], merchant[key]),
  });
};

const useAccountFacts = (merchant: Merchant): Fact[] => {
  const { t, language } = useTexts();
  const words = useMerchantWords();
  const plain = usePlainFact(merchant);
  const schema = schemaOf(merchant);
  const code = schema?.fields.find(({ name }) => name === 'customer_code');
  return [
    { ...plain('name'), fields: ['id', 'name'] },
    plain('provider'),
    {
      key: 'customer_code',
      label: code?.[language] ?? words.customer_code.label,
      value: <CodeText code={merchant.customer_code} />,
    },
    ...(schema?.hasWarehouse === false ? [] : [plain('warehouse_code')]),
    {
      key: 'sender',
      fields: ['sender_name', 'sender_phone'],
      label: t('merchants.sender'),
      value: merchant.sender_name + merchant.sender_phone !== '' && (
        <>
          {merchant.sender_name} <Phone number={merchant.sender_phone} />
        </>
      ),
    },
    {
      key: 'place',
      fields: ['province', 'city', 'county', 'address'],
      label: t('merchants.place'),
      value: `${placeText(merchant)} ${merchant.address}`.trim(),
      wide: true,
    },
  ];
};

/**
 * The switches of a carrier account and its minimum insured value, each with one sentence about its
 * effect.
 */
const useUseFacts = (merchant: Merchant): Fact[] => {
  const { t } = useTexts();
  const words = useMerchantWords();
  const flag = (key: 'status' | 'is_default' | 'prefetch_numbers') => {
    const isOn = merchant[key] === 1;
    return {
      key,
      label: words[key].label,
      value: t(isOn ? 'lists.enabled' : 'lists.disabled'),
      effect: t(`merchants.effect.${key}_${isOn ? 'on' : 'off'}`),
    };
  };
  return [
    flag('status'),
    { ...flag('is_default'), value: merchant.is_default === 1 && <DefaultTag /> },
    ...(schemaOf(merchant)?.prefetches === false ? [] : [flag('prefetch_numbers')]),
    { ...usePlainFact(merchant)('guarantee'), effect: t('merchants.guarantee_hint') },
  ];
};

const useConnectionFacts = (merchant: Merchant): Fact[] => {
  const { t, language } = useTexts();
  const words = useMerchantWords();
  const environment = useEnvironment();
  const secrets = schemaOf(merchant)?.fields.filter(({ secret }) => secret) ?? [];
  const { provider, base_url, simulated } = merchant;
  return [
    {
      key: 'environment',
      fields: ['simulated', 'base_url'],
      label: t('merchants.environment'),
      value: `${environment(merchant)} · ${base_url}`,
      effect: t(`merchants.effect.${environmentOf(provider, base_url, simulated)}`),
      wide: true,
    },
    {
      key: 'proof',
      label: t('merchants.proof'),
      value: <Proof merchant={merchant} />,
      wide: true,
    },
    ...secrets.map((field) => {
      const key = field.name as keyof Merchant['secret_tails'];
      const tail = merchant.secret_tails[key];
      return {
        key,
        label: field[language],
        value: tail === null ? t('merchants.secret_none') : t('merchants.secret_tail', { tail }),
      };
    }),
    ...(secrets.some(({ name }) => name === 'access_token')
      ? [
          {
            key: 'token_expires_at',
            label: words.token_expires_at.label,
            value: <TokenEnd at={merchant.token_expires_at} />,
          },
        ]
      : []),
    {
      key: 'push',
      label: t('merchants.push_address'),
      value: <PushAddress key={merchant.id} merchant={merchant} />,
      wide: true,
    },
  ];
};

const useActivityFacts = (merchant: Merchant): Fact[] => {
  const { t } = useTexts();
  const format = useFormat();
  return [
    {
      key: 'health',
      fields: ['calls_24h', 'answered_24h', 'paused_at', 'paused_reason', 'down_since'],
      label: t('merchants.health'),
      value: <Health merchant={merchant} />,
    },
    {
      key: 'last_call_at',
      label: t('merchants.last_call'),
      value: merchant.last_call_at && <Moment at={merchant.last_call_at} />,
    },
    {
      key: 'parcels_30d',
      label: t('merchants.parcels'),
      value: format.number(merchant.parcels_30d),
    },
    { key: 'created_at', label: t('lists.created'), value: <Moment at={merchant.created_at} /> },
    { key: 'updated_at', label: t('lists.updated'), value: <Moment at={merchant.updated_at} /> },
  ];
};

/** All facts about a carrier account, in groups. */
export const MerchantFacts = ({ merchant }: { merchant: Merchant }) => {
  const { t } = useTexts();
  const groups = [
    { title: t('merchants.account_group'), facts: useAccountFacts(merchant) },
    { title: t('merchants.use_group'), facts: useUseFacts(merchant) },
    { title: t('merchants.connection_group'), facts: useConnectionFacts(merchant) },
    { title: t('merchants.activity_group'), facts: useActivityFacts(merchant) },
  ];
  return (
    <div>
      {groups.map(({ title, facts }) => (
        <FactGroup key={title} title={title} facts={facts} />
      ))}
    </div>
  );
};
