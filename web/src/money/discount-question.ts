import { discountText, lowDiscount } from '@waystation/contract/money/discount.ts';
import { confirmed } from '#ui/overlay/notify.tsx';
import { useTexts } from '#base/texts.ts';

const rates = ['discount', 'northeast_discount'] as const;
type Rates = Partial<Readonly<Record<(typeof rates)[number], number | null>>>;

/**
 * Returns a function that asks for confirmation before a discount below 5 折 is saved. If no
 * discount that was changed is that low, the function asks nothing and returns true.
 */
export const useDiscountQuestion = (
  labels: Readonly<Record<(typeof rates)[number], string>>,
): ((before: Rates, after: Rates) => Promise<boolean>) => {
  const { t, language } = useTexts();
  return async (before, after) => {
    const low = rates.flatMap((name) => {
      const rate = after[name];
      return typeof rate === 'number' && rate < lowDiscount && rate !== before[name]
        ? [
            t('lists.discount_question', {
              field: labels[name],
              rate: discountText(rate, language),
            }),
          ]
        : [];
    });
    return (
      low.length === 0 ||
      confirmed({
        title: t('lists.discount_ask'),
        content: low.join(t('shell.list_comma')),
        ok: t('common.save'),
        danger: true,
      })
    );
  };
};
