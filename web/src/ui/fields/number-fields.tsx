import { parseDecimal } from '@waystation/contract/base/decimal.ts';
import { lowDiscount, parseDiscount, typedDiscount } from '@waystation/contract/money/discount.ts';
import {
  parsePercent,
  parseYuan,
  percentText,
  yuanText,
} from '@waystation/contract/money/money.ts';
import { kgText, parseKg } from '@waystation/contract/base/weight.ts';
import { useTexts } from '#base/texts.ts';
import { ParsedField } from './parsed-field.tsx';
import type { NumericProps } from './parsed-field.tsx';

/** A field for a whole number. */
export const NumberField = ({ suffix, ...props }: NumericProps & { suffix?: string }) => (
  <ParsedField
    {...props}
    parse={(text) => parseDecimal(text, 0)}
    write={String}
    {...(suffix !== undefined && { suffix })}
  />
);

/** A field in which the user types yuan; its value is in fen. */
export const MoneyField = (props: NumericProps) => (
  <ParsedField {...props} parse={parseYuan} write={yuanText} prefix="¥" />
);

/** A field in which the user types kilograms; its value is in grams. */
export const WeightField = (props: NumericProps) => (
  <ParsedField {...props} parse={parseKg} write={kgText} suffix="kg" />
);

/**
 * A field in which the user types a percentage. Its value is in basis points; an empty field means
 * that no rate is set.
 */
export const RateField = (props: NumericProps) => (
  <ParsedField {...props} parse={parsePercent} write={percentText} suffix="%" />
);

/**
 * A field for a discount. The user types 折 in Chinese and a percentage of the list price in
 * English; the value is in basis points. The hint shows the percentage and warns if the rate is
 * very low.
 */
export const DiscountField = ({ hint, ...props }: NumericProps) => {
  const { t, language } = useTexts();
  const { value } = props;
  const message =
    value === null || Number.isNaN(value)
      ? hint
      : t(value < lowDiscount ? 'lists.discount_low' : 'lists.discount_words', {
          percent: percentText(value),
        });
  return (
    <ParsedField
      {...props}
      parse={(text) => parseDiscount(text, language)}
      write={(rate) => typedDiscount(rate, language)}
      suffix={t('lists.discount_unit')}
      {...(message !== undefined && { hint: message })}
      error={Number.isNaN(value) ? t('lists.discount_bounds') : props.error}
    />
  );
};
