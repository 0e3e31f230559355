import { weightText } from '@waystation/contract/money/price-words.ts';
import type { Price } from '@waystation/contract/money/price.ts';
import type { Journal, Statement } from '@waystation/contract/money/statement.ts';
import { useFormat } from '#base/format.ts';
import { useTexts } from '#base/texts.ts';
import { signedYuan, yuan } from '#ui/values/amounts.ts';
import { PriceCompared, PriceLines } from '#money/why-panel.tsx';
import styles from './statements.module.css';

const sources = [
  'order',
  'edit',
  'station',
  'poll',
  'push',
  'bill',
  'estimate',
  'accepted',
] as const;

/** Shows the rule that determined the billed weight. */
const WeightRule = ({ label, price }: { label: string; price: Price }) => {
  const { language } = useTexts();
  return (
    <div>
      <dt>{label}</dt>
      <dd>{weightText(price.weight_message, language)}</dd>
    </div>
  );
};

/**
 * The explanation of a transaction. It shows the weight and price before and after, their
 * difference, and the rules that determined them.
 */
export const WhyTab = ({
  line,
  pricing,
}: {
  line: Statement;
  pricing: NonNullable<Journal['pricing']>;
}) => {
  const { t } = useTexts();
  const format = useFormat();
  const { before, after } = pricing;
  const source = sources.find((each) => each === pricing.source);
  return (
    <>
      <p className={styles['sentence']}>
        {before === null
          ? t('statements.why_charge', { amount: yuan(after.post_amount) })
          : t(
              line.type === 'charge' ? 'statements.why_charge_after' : 'statements.why_difference',
              {
                after: yuan(after.post_amount),
                before: yuan(before.post_amount),
                difference: signedYuan(after.post_amount - before.post_amount),
              },
            )}
      </p>
      <p className={styles['quiet']}>
        {[
          source ? t(`expresses.source.${source}`) : pricing.source,
          format.moment(pricing.at),
          pricing.reason,
        ]
          .filter(Boolean)
          .join(' · ')}
      </p>
      {before !== null && <PriceCompared before={before} after={after} />}
      <h3 className={styles['subhead']}>{t('statements.why_weight')}</h3>
      <dl className={styles['rules']}>
        {before !== null && <WeightRule label={t('common.before')} price={before} />}
        <WeightRule
          label={before === null ? t('common.rule.weight') : t('common.after')}
          price={after}
        />
      </dl>
      <h3 className={styles['subhead']}>{t('statements.why_now')}</h3>
      <PriceLines price={after} cal_weight={after.cal_weight} />
    </>
  );
};
