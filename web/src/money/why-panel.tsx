import { useState } from 'react';
import { CopyOutlined } from '@ant-design/icons-svg';
import { lineText, weightText } from '@waystation/contract/money/price-words.ts';
import type { Price } from '@waystation/contract/money/price.ts';
import { notify } from '#ui/overlay/notify.tsx';
import { useTexts } from '#base/texts.ts';
import { Icon } from '#ui/icon.tsx';
import { Money } from '#ui/values/money.tsx';
import { comparePrices, priceAsText } from './price-text.ts';
import type { Explained } from './price-text.ts';
import { Weight } from '#ui/values/weight.tsx';
import primitives from '#ui/primitives.module.css';
import styles from './why-panel.module.css';

/**
 * The name of a rule and its reason. With `brief`, only the reason is shown, because it mentions
 * the rule.
 */
const Reason = ({ rule, words, brief }: { rule: string; words: string; brief: boolean }) =>
  brief ? (
    <th scope="row" title={words}>
      {words}
    </th>
  ) : (
    <>
      <th scope="row">{rule}</th>
      <td>{words}</td>
    </>
  );

/**
 * The lines of a price, each with its rule, its inputs and its amount. The amounts add up to the
 * price that is shown elsewhere.
 */
export const PriceLines = ({
  price,
  cal_weight,
  brief = false,
}: {
  price: Explained;
  cal_weight: number | null;
  /**
   * True to show only the reasons, in the space of two columns. A shortened reason is shown in full
   * in its tooltip.
   */
  brief?: boolean;
}) => {
  const { t, language } = useTexts();
  return (
    <table className={styles['lines']} data-brief={brief || undefined}>
      <caption className="sr-only">{t('common.why')}</caption>
      <tbody>
        {price.weight_message && (
          <tr>
            <Reason
              rule={t('common.rule.weight')}
              words={weightText(price.weight_message, language)}
              brief={brief}
            />
            <td className={styles['sum']}>
              <Weight grams={cal_weight} />
            </td>
          </tr>
        )}
        {price.lines.map((line, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- the lines of one price never move
          <tr key={index}>
            <Reason
              rule={t(`common.rule.${line.rule}`)}
              words={lineText(line, language)}
              brief={brief}
            />
            <td className={styles['sum']}>
              <Money fen={line.result} />
            </td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">{t('common.post_amount')}</th>
          {!brief && <td />}
          <td className={styles['sum']}>
            <Money fen={price.post_amount} />
          </td>
        </tr>
      </tfoot>
    </table>
  );
};

/** Compares two pricings of one parcel side by side. */
export const PriceCompared = ({ before, after }: { before: Price; after: Price }) => {
  const { t } = useTexts();
  return (
    <table className={styles['compared']}>
      <caption className="sr-only">{t('common.before_after')}</caption>
      <thead>
        <tr>
          <td />
          <th scope="col">{t('common.before')}</th>
          <th scope="col">{t('common.after')}</th>
          <th scope="col">{t('common.difference')}</th>
        </tr>
      </thead>
      <tbody>
        <tr>
          <th scope="row">{t('common.rule.weight')}</th>
          <td>
            <Weight grams={before.cal_weight} />
          </td>
          <td>
            <Weight grams={after.cal_weight} />
          </td>
          <td>
            {after.cal_weight === before.cal_weight ? (
              '—'
            ) : (
              <Weight grams={after.cal_weight - before.cal_weight} signed />
            )}
          </td>
        </tr>
        {comparePrices(before, after).map((part) => (
          <tr key={part.key} data-total={part.key === 'post_amount' || undefined}>
            <th scope="row">{t(`common.${part.key}`)}</th>
            <td>
              <Money fen={part.before} />
            </td>
            <td>
              <Money fen={part.after} />
            </td>
            <td>{part.difference === 0 ? '—' : <Money fen={part.difference} signed />}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
};

interface Props {
  price: Explained;
  cal_weight: number | null;
  /** The first line of the text to copy. */
  heading: string;
  /** True to show only the reasons and to omit the names of the pricing rules. */
  brief?: boolean;
}

/**
 * The panel that explains a price. It shows the price line by line, and can copy it as a text for a
 * customer on the phone.
 */
export const WhyPanel = ({ price, cal_weight, heading, brief = false }: Props) => {
  const { t, language } = useTexts();
  const [copied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(
        priceAsText(
          price,
          { heading, weight: t('common.rule.weight'), total: t('common.post_amount') },
          language,
        ),
      );
      setCopied(true);
    } catch {
      notify.warning(t('shell.copy_failed'));
    }
  };
  return (
    <div className={styles['panel']}>
      <PriceLines price={price} cal_weight={cal_weight} brief={brief} />
      <button
        type="button"
        className={`${primitives['linkButton']} ${styles['copy']}`}
        onClick={() => void copy()}
      >
        <Icon of={CopyOutlined} /> {copied ? t('common.copied') : t('common.copy_as_text')}
      </button>
      <span role="status" className="sr-only">
        {copied ? t('common.copied') : ''}
      </span>
    </div>
  );
};
