import type { OfferChoice } from '@waystation/contract/network/offer-rule.ts';
import { choiceText } from '@waystation/contract/network/offer-choice-words.ts';
import { useTexts } from '#base/texts.ts';

/** Shows why the station's rule chose the product of an ordered parcel. */
export const ChoiceLine = ({ choice }: { choice: OfferChoice }) => {
  const { t, language } = useTexts();
  return <p>{t('expresses.chosen_by_rule', { choice: choiceText(choice, language) })}</p>;
};
