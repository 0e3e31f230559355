import type { Station } from '@waystation/contract/network/station.ts';
import { percentText } from '@waystation/contract/money/money.ts';
import { useFormat } from '#base/format.ts';
import { useTexts } from '#base/texts.ts';
import { placeText } from '#ui/fields/address-cascader.tsx';
import { FactGroup } from '#ui/facts.tsx';
import type { Fact } from '#ui/facts.tsx';
import { CodeText } from '#ui/values/code-text.tsx';
import { Money } from '#ui/values/money.tsx';
import { Moment } from '#ui/values/moment.tsx';
import { Phone } from '#ui/values/waybill.tsx';
import { Available } from './columns.tsx';
import { useRateWords, useStationWords } from './words.ts';

type Flag = 'status' | 'has_amount' | 'allow_select' | 'allow_print' | 'enable_profit';

/**
 * Returns a fact about a switch of the station, together with a sentence about the effect of the
 * switch.
 */
const useFlagFact = (station: Station): ((key: Flag) => Fact) => {
  const { t } = useTexts();
  const words = useStationWords();
  return (key) => {
    const isOn = station[key] === 1;
    return {
      key,
      label: words[key].label,
      value: t(isOn ? 'lists.enabled' : 'lists.disabled'),
      effect: t(`stations.effect.${key}_${isOn ? 'on' : 'off'}`),
    };
  };
};

const useWhoFacts = (station: Station): Fact[] => {
  const { t } = useTexts();
  const format = useFormat();
  return [
    { key: 'name', fields: ['id', 'name'], label: t('stations.name'), value: station.name },
    {
      key: 'parent',
      fields: ['parent_id', 'parent_name'],
      label: t('stations.parent'),
      value: station.parent_name ?? t('stations.top_level'),
    },
    { key: 'level', label: t('stations.level'), value: format.number(station.level) },
    { key: 'children', label: t('stations.children'), value: format.number(station.children) },
    {
      key: 'sender',
      fields: ['sender_name', 'sender_phone'],
      label: t('stations.sender'),
      value: station.sender_name + station.sender_phone !== '' && (
        <>
          {station.sender_name} <Phone number={station.sender_phone} />
        </>
      ),
    },
    { key: 'users', label: t('stations.users'), value: format.number(station.users) },
    {
      key: 'place',
      fields: ['province', 'city', 'county', 'address'],
      label: t('stations.address'),
      value: [placeText(station), station.address].filter(Boolean).join(' '),
      wide: true,
    },
  ];
};

const usePriceFacts = (station: Station): Fact[] => {
  const { t } = useTexts();
  const rate = useRateWords();
  const words = useStationWords();
  const { allow_select, offer_rule, offer_carriers, offer_fallback } = station;
  const isFixed = allow_select === 0;
  return [
    {
      key: 'project',
      fields: ['project_id', 'project_name'],
      label: t('stations.project'),
      value: station.project_name,
    },
    {
      key: 'offer_rule',
      fields: ['offer_rule', 'offer_carriers', 'offer_fallback'],
      label: words.offer_rule.label,
      // Shows the stored rule only if the station may choose products, because the rule has no
      // effect otherwise.
      value: isFixed
        ? t('stations.offer_rule_fixed')
        : [
            words.offer_rule.show(offer_rule),
            offer_rule === 'preferred' && words.offer_carriers.show(offer_carriers),
            offer_fallback === 1 && words.offer_fallback.show(1),
          ]
            .filter(Boolean)
            .join(t('shell.list_comma')),
      wide: !isFixed && offer_rule === 'preferred',
    },
    { key: 'discount', label: t('stations.discount'), value: rate(station.discount) },
    {
      key: 'northeast_discount',
      label: t('stations.northeast_discount'),
      value: rate(station.northeast_discount),
    },
    ...(station.customer_code === undefined
      ? []
      : [
          {
            key: 'customer_code',
            label: t('stations.customer_code'),
            value: station.customer_code ? (
              <CodeText code={station.customer_code} />
            ) : (
              t('stations.default_merchant')
            ),
          },
        ]),
  ];
};

const useMoneyFacts = (station: Station): Fact[] => {
  const { t } = useTexts();
  const words = useStationWords();
  const fen = (key: 'money' | 'freeze' | 'fixed_freeze' | 'claim_amount') => ({
    key,
    label: t(`stations.${key}`),
    value: <Money fen={station[key]} />,
  });
  return [
    fen('money'),
    fen('freeze'),
    fen('fixed_freeze'),
    {
      key: 'available',
      fields: ['available', 'blocked'],
      label: t('stations.available'),
      value: <Available station={station} />,
    },
    {
      key: 'low_balance',
      fields: ['low_balance', 'low_limit'],
      label: t('stations.low_balance'),
      value: (
        <>
          <Money fen={station.low_limit} />{' '}
          {station.low_balance === null && t('stations.low_of_network')}
        </>
      ),
    },
    // The credit limit is shown only for a station without balance check, because other stations
    // cannot be in debt.
    {
      key: 'credit_limit',
      label: t('stations.credit_limit'),
      value:
        station.has_amount === 1 ? null : station.credit_limit === null ? (
          words.credit_limit.show(null)
        ) : (
          <Money fen={station.credit_limit} />
        ),
    },
    fen('claim_amount'),
  ];
};

const useProfitFacts = (station: Station): Fact[] => {
  const { t } = useTexts();
  const rate = (key: 'profit' | 'profit_limit') => ({
    key,
    label: t(`stations.${key}`),
    value: `${percentText(station[key])}%`,
  });
  const fen = (key: 'fixed_profit' | 'fixed_profit_limit') => ({
    key,
    label: t(`stations.${key}`),
    value: <Money fen={station[key]} />,
  });
  return [rate('profit'), fen('fixed_profit'), rate('profit_limit'), fen('fixed_profit_limit')];
};

const useActivityFacts = (station: Station): Fact[] => {
  const { t } = useTexts();
  const format = useFormat();
  return [
    {
      key: 'parcels_30d',
      label: t('stations.parcels'),
      value: format.number(station.parcels_30d),
    },
    {
      key: 'last_active_at',
      label: t('stations.last_active'),
      value:
        station.last_active_at === null ? (
          t('stations.never')
        ) : (
          <Moment at={station.last_active_at} />
        ),
    },
    { key: 'created_at', label: t('lists.created'), value: <Moment at={station.created_at} /> },
    { key: 'updated_at', label: t('lists.updated'), value: <Moment at={station.updated_at} /> },
  ];
};

/** All facts about a station, in groups. */
export const StationFacts = ({ station }: { station: Station }) => {
  const { t } = useTexts();
  const flag = useFlagFact(station);
  const groups = [
    { title: t('stations.basics'), facts: useWhoFacts(station) },
    { title: t('stations.price_group'), facts: usePriceFacts(station) },
    { title: t('stations.money_group'), facts: useMoneyFacts(station) },
    { title: t('stations.profit_group'), facts: useProfitFacts(station) },
    {
      title: t('stations.rights_group'),
      facts: (
        ['status', 'has_amount', 'allow_select', 'allow_print', 'enable_profit'] as const
      ).map(flag),
    },
    { title: t('stations.activity_group'), facts: useActivityFacts(station) },
  ];
  return groups.map(({ title, facts }) => <FactGroup key={title} title={title} facts={facts} />);
};
