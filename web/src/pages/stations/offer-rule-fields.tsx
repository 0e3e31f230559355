import {
  offerRuleNames,
  offerRules,
  otherProvinces,
} from '@waystation/contract/network/offer-rule.ts';
import type { OfferCarriers } from '@waystation/contract/network/offer-rule.ts';
import { offeredProviders, providers } from '@waystation/contract/network/provider.ts';
import type { Provider } from '@waystation/contract/network/provider.ts';
import type { Station } from '@waystation/contract/network/station.ts';
import { wordOf } from '@waystation/contract/base/word-of.ts';
import { useTexts } from '#base/texts.ts';
import type { RecordForm } from '#resource/form/use-record-form.ts';
import { SelectField, SwitchField } from '#ui/fields/choice-fields.tsx';
import { ProvincesField } from '#ui/fields/provinces-field.tsx';
import type { StationValues } from './form-values.ts';
import { useStationWords } from './words.ts';

const provincesOf = (carriers: OfferCarriers, provider: Provider): string[] =>
  Object.keys(carriers)
    .filter((key) => key !== otherProvinces && carriers[key] === provider)
    .toSorted();

/**
 * Assigns exactly these provinces to the carrier. If another carrier had one of them, it loses that
 * province, because each province has only one carrier.
 */
const withProvinces = (
  carriers: OfferCarriers,
  provider: Provider,
  codes: readonly string[],
): OfferCarriers => ({
  ...Object.fromEntries(
    Object.entries(carriers).filter(([key, other]) => key === otherProvinces || other !== provider),
  ),
  ...Object.fromEntries(codes.map((code) => [code, provider])),
});

/** The rule that chooses a product if no user chooses one. */
export const OfferRuleFields = ({ form }: { form: RecordForm<StationValues, Station> }) => {
  const { t, language } = useTexts();
  const words = useStationWords();
  const { allow_select, offer_rule, offer_carriers, offer_fallback } = form.values;
  const isFixed = allow_select === 0;
  const { [otherProvinces]: other, ...byProvince } = offer_carriers;
  const { label, error } = form.field('offer_carriers');
  const set = (carriers: OfferCarriers): void => form.set('offer_carriers', carriers);
  return (
    <>
      <SelectField
        {...form.field('offer_rule')}
        options={offerRules.map((rule) => ({
          value: rule,
          label: wordOf(offerRuleNames, rule, language),
        }))}
        disabled={isFixed}
        hint={t(isFixed ? 'stations.offer_rule_fixed' : 'stations.offer_rule_hint')}
        onChange={(rule) => form.set('offer_rule', rule ?? 'cheapest')}
      />
      <SwitchField
        {...form.field('offer_fallback')}
        words={words.offer_fallback.show(offer_fallback)}
        disabled={isFixed}
      />
      {offer_rule === 'preferred' && !isFixed && (
        <>
          <div data-span>
            <SelectField
              label={t('stations.offer_carrier_default')}
              name="offer_carriers"
              value={other ?? null}
              none={t('stations.offer_carrier_none')}
              options={offeredProviders.map((provider) => ({
                value: provider,
                label: wordOf(providers, provider, language),
              }))}
              error={error}
              onChange={(provider) =>
                set(provider === null ? byProvince : { ...byProvince, [otherProvinces]: provider })
              }
            />
          </div>
          {offeredProviders.map((provider) => (
            <div key={provider} data-span>
              <ProvincesField
                label={`${label}: ${wordOf(providers, provider, language)}`}
                value={provincesOf(offer_carriers, provider)}
                onChange={(codes) => set(withProvinces(offer_carriers, provider, codes))}
              />
            </div>
          ))}
        </>
      )}
    </>
  );
};
