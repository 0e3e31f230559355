import type { OfferChoice } from '@waystation/contract/network/offer-rule.ts';
import { choiceText } from '@waystation/contract/network/offer-choice-words.ts';
import { providers } from '@waystation/contract/network/provider.ts';
import type { Quote } from '@waystation/contract/parcels/express.ts';
import { wordOf } from '@waystation/contract/base/word-of.ts';
import { errorText } from '#base/error-text.ts';
import { useTexts } from '#base/texts.ts';
import type { LostChoice } from '#parcels/orders/price.ts';
import type { Coverage } from '#parcels/ask-coverage.ts';
import { nextWindow } from '#parcels/offered-windows.ts';
import { windowKey, windowText } from '#parcels/pickup-window.ts';
import { Button } from '#ui/button.tsx';
import { SelectField } from '#ui/fields/choice-fields.tsx';
import { Notice } from '#ui/notice.tsx';
import type { Options } from '#parcels/orders/form.ts';
import { offerName } from './comparison.ts';
import styles from './store.module.css';

/** Explains the effect on the parcel if the edit is saved. */
export const EditNotice = ({ sent, onLeave }: { sent: boolean; onLeave: () => void }) => {
  const { t } = useTexts();
  return (
    <Notice
      tone="info"
      actions={
        <Button size="small" onClick={onLeave}>
          {t('store.edit_leave')}
        </Button>
      }
    >
      {t(sent ? 'store.editing_sent' : 'store.editing')}
    </Notice>
  );
};

/** A line with the reason why the station's rule proposes this product. */
export const RuleLine = ({ choice }: { choice: OfferChoice }) => {
  const { t, language } = useTexts();
  return (
    <p className={styles['calm']}>
      {t('store.proposed_by_rule', { choice: choiceText(choice, language) })}
    </p>
  );
};

/**
 * Returns the text for a chosen product that is no longer available. The text contains the reason.
 */
export const useLostWords = (): ((lost: LostChoice, several: boolean) => string) => {
  const { t, language } = useTexts();
  return ({ promise_id, provider, listed, reason, proposed }, several) => {
    const isOther = several || isOtherCarrier({ provider, proposed });
    const product =
      listed !== null
        ? offerName(listed, isOther, language)
        : [provider === null ? '' : wordOf(providers, provider, language), promise_id]
            .filter(Boolean)
            .join(' · ');
    return t('store.choice_lost', {
      product,
      reason: errorText(reason.code, reason.params, language),
    });
  };
};
const isOtherCarrier = ({ provider, proposed }: Pick<LostChoice, 'provider' | 'proposed'>) =>
  proposed !== null && provider !== null && proposed.provider !== provider;

/**
 * A notice that the chosen product is no longer available, with the reason. It also shows the
 * proposed offer, which the user must confirm.
 */
export const LostNotice = ({
  lost,
  several,
  onChoose,
}: {
  lost: LostChoice;
  several: boolean;
  onChoose: (quote: Quote) => void;
}) => {
  const { t, language } = useTexts();
  const lostWords = useLostWords();
  const { proposed } = lost;
  return (
    <Notice
      tone="warn"
      actions={
        proposed !== null && (
          <Button size="small" name="promise_id" onClick={() => onChoose(proposed)}>
            {t('store.choice_take', {
              product: offerName(proposed, several || isOtherCarrier(lost), language),
            })}
          </Button>
        )
      }
    >
      {lostWords(lost, several)}
    </Notice>
  );
};

/**
 * Offers the next pickup window of the carrier in place of a missed one. The user chooses it with a
 * button. If no window is available, the courier comes as soon as possible.
 */
export const NextPickup = ({
  windows,
  onChoose,
  onSoon,
}: {
  windows: NonNullable<Coverage['pickup_windows']>;
  onChoose: (pickup: string) => void;
  onSoon: () => void;
}) => {
  const { t, locale } = useTexts();
  const next = nextWindow(windows, locale);
  return (
    <Notice
      tone="info"
      actions={
        <>
          {next && (
            <Button size="small" onClick={() => onChoose(windowKey(next))}>
              {t('store.pickup_take')}
            </Button>
          )}
          <Button size="small" onClick={onSoon}>
            {t('store.pickup_soon')}
          </Button>
        </>
      }
    >
      {next
        ? t('store.pickup_next', { window: windowText(next, locale) })
        : t('store.pickup_missed')}
    </Notice>
  );
};

/**
 * The carrier account that the order uses. An administrator may choose another account from
 * `choices`.
 */
export interface ChosenAccount {
  code: string;
  choices: NonNullable<Options['accounts']>;
  onChange: (customer_code: string) => void;
}

/**
 * A line with the carrier account of the order. An administrator may choose another account of the
 * same carrier.
 */
export const AccountLine = ({
  chosen,
  code,
  account,
}: {
  chosen: Quote;
  code: string;
  account: ChosenAccount | null;
}) => {
  const { t } = useTexts();
  const choices = account?.choices.filter(({ provider }) => provider === chosen.provider) ?? [];
  // If the chosen account is unavailable now, it is still listed, so that the user can remove it.
  const gone =
    account !== null &&
    account.code !== '' &&
    !choices.some(({ customer_code }) => customer_code === account.code)
      ? [account.code]
      : [];
  if (account === null || choices.length + gone.length < 2)
    return (
      <p className={styles['after']}>
        <span>{t('store.carrier_account')}</span>
        <span className="tabular">{code}</span>
      </p>
    );
  return (
    <SelectField
      label={t('store.carrier_account')}
      name="customer_code"
      value={account.code === '' ? null : account.code}
      none={
        account.code === '' ? t('store.account_of_station', { code }) : t('store.account_station')
      }
      options={[
        ...choices.map(({ customer_code, name }) => ({
          value: customer_code,
          label: `${name} ${customer_code}`,
        })),
        ...gone.map((customer_code) => ({ value: customer_code, label: customer_code })),
      ]}
      onChange={(next) => account.onChange(next ?? '')}
    />
  );
};
