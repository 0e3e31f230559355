import { errorText, isErrorCode } from '#base/error-text.ts';
import { expressStates } from '@waystation/contract/parcels/express-states.ts';
import { provinces } from '@waystation/contract/parcels/provinces.ts';
import type { StateCode } from '@waystation/contract/parcels/express-states.ts';
import type { SetupStepName, StationSetup } from '@waystation/contract/network/station-setup.ts';
import { wordOf } from '@waystation/contract/base/word-of.ts';
import { useFormat } from '#base/format.ts';
import { useTexts } from '#base/texts.ts';
import { yuan } from '#ui/values/amounts.ts';
import { useAuthorities } from './authority.ts';

/** A text for each setup step: its present value, or the missing part. */
export const useStepWords = (setup: StationSetup): Record<SetupStepName, string> => {
  const { t, language } = useTexts();
  const format = useFormat();
  const { office } = useAuthorities();
  const { price, top_up, parcel, project_name, accounts, username, has_amount } = setup;
  const stepOf = (step: SetupStepName) => setup.steps.find((one) => one.step === step)!;
  const isDone = (step: SetupStepName): boolean => stepOf(step).state === 'done';
  const reasonOf = (step: SetupStepName): string | null => {
    const { reason } = stepOf(step);
    return reason !== null && isErrorCode(reason.code)
      ? errorText(reason.code, reason.params ?? {}, language)
      : null;
  };
  const place = (name: string): string =>
    provinces.find(({ zh }) => name.startsWith(zh))?.[language] ?? name;
  const topUp = (): string => {
    if (has_amount === 0) return t('stations.setup_post_paid');
    if (top_up === null)
      return t(office ? 'stations.setup_no_top_up' : 'stations.setup_top_up_office');
    const amount = yuan(top_up.amount);
    if (isDone('top_up')) return t('stations.setup_topped_up', { amount });
    return top_up.requested_by === null
      ? t('stations.setup_top_up_waits', { amount })
      : t('stations.setup_top_up_waits_of', { amount, name: top_up.requested_by });
  };
  return {
    station: isDone('station')
      ? setup.station_name
      : (reasonOf('station') ?? t('stations.setup_no_place')),
    scheme: isDone('scheme')
      ? project_name!
      : project_name === null
        ? t(office ? 'stations.setup_no_scheme' : 'stations.setup_scheme_office')
        : t('stations.setup_scheme_unusable', { name: project_name }),
    price: price
      ? t('stations.setup_price', {
          place: place(price.receive_province),
          promise:
            language === 'en' && price.promise_name_en !== ''
              ? price.promise_name_en
              : price.promise_name,
          amount: yuan(price.post_amount),
        })
      : (reasonOf('price') ?? t('stations.setup_no_price')),
    account:
      username === null
        ? t('stations.setup_no_account')
        : accounts === 1
          ? username
          : t('stations.setup_accounts', { name: username, count: format.number(accounts) }),
    top_up: topUp(),
    parcel: parcel
      ? t('stations.setup_parcel', {
          number: parcel.number,
          state: wordOf(expressStates, parcel.state_code as StateCode, language),
        })
      : t('stations.setup_no_parcel'),
  };
};
