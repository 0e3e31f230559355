import { parseDecimal } from '@waystation/contract/decimal.ts';
import { parsePercent, parseYuan, percentText, yuanText, zheText } from '@waystation/contract/money.ts';
import { kgText, parseKg } from '@waystation/contract/weight.ts';
import { useTexts } from '#app/texts.ts';
import { ParsedField } from './parsed-field.tsx';
import type { NumericProps } from './parsed-field.tsx';

/** A whole number. */
export const NumberField = ({ suffix, ...props }: NumericProps & { suffix?: string }) => (
  <ParsedField {...props} parse={(text) => parseDecimal(text, 0)} write={String} {...(suffix !== undefined && { suffix })} />
);

/** Typed in yuan, held in fen. */
export const MoneyField = (props: NumericProps) => <ParsedField {...props} parse={parseYuan} write={yuanText} prefix="¥" />;

/** Typed in kilograms, held in grams. */
export const WeightField = (props: NumericProps) => <ParsedField {...props} parse={parseKg} write={kgText} suffix="kg" />;

/** Typed in per cent, held in basis points; a discount also says itself in tenths, as the trade does. Nothing typed: not set. */
export const RateField = ({ discount = false, ...props }: NumericProps & { discount?: boolean }) => {
  const { t } = useTexts();
  const { value, hint } = props;
  const said = discount && value !== null && !Number.isNaN(value) ? t('lists.discount_words', { zhe: zheText(value), percent: percentText(value) }) : undefined;
  const below = said ?? hint;
  return <ParsedField {...props} parse={parsePercent} write={percentText} suffix="%" {...(below !== undefined && { hint: below })} />;
};
