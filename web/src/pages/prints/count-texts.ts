import { printDrivers, unreportedMinutes } from '@waystation/contract/parcels/print.ts';
import type { countPrints } from '@waystation/contract/parcels/print.ts';
import type { OutputOf } from '@waystation/contract/base/endpoint.ts';
import type { Language } from '@waystation/contract/base/errors.ts';
import { wordOf } from '@waystation/contract/base/word-of.ts';
import type { Format } from '#base/format.ts';
import type { Say } from '#base/texts.ts';

type Answer = OutputOf<typeof countPrints>;

/**
 * The share of a part in the total, in per cent with one decimal. It is zero if the total is zero.
 */
export const rateOf = (part: number, total: number): number =>
  total === 0 ? 0 : Math.round((part / total) * 1000) / 10;

/**
 * The text with the number of reprints and of failures among the matching labels. If more labels
 * match than are counted, it shows dashes instead.
 */
export const sumsText = ({ total, reprints, failed }: Answer, t: Say, format: Format): string => {
  if (reprints === null || failed === null) return t('prints.sums_many');
  const rate = (part: number): string => `${rateOf(part, total)}%`;
  return t('prints.sums', {
    again: format.number(reprints),
    again_rate: rate(reprints),
    failed: format.number(failed),
    failed_rate: rate(failed),
  });
};

/**
 * The text about the printers with failed labels. If labels older than the counted ones exist, the
 * text contains the time from which labels are counted. Null if no label failed.
 */
export const failingText = (
  { failing, counted_from }: Answer,
  t: Say,
  language: Language,
  format: Format,
): string | null => {
  if (failing.length === 0) return null;
  const printers = failing
    .map(({ driver, printer, total, failed }) =>
      t('prints.failing_one', {
        printer: printer || wordOf(printDrivers, driver, language),
        failed: format.number(failed),
        total: format.number(total),
        rate: rateOf(failed, total),
      }),
    )
    .join(language === 'zh' ? '；' : '; ');
  return counted_from === null
    ? t('prints.failing', { printers })
    : t('prints.failing_since', { printers, time: format.dateTime(counted_from) });
};

/**
 * The text about labels without a reported result; null if there are none. Like the text of
 * `failingText`, it contains the time from which labels are counted if older labels exist.
 */
export const unreportedText = (
  { unreported, counted_from }: Answer,
  t: Say,
  format: Format,
): string | null => {
  if (unreported === 0) return null;
  const words = { count: format.number(unreported), minutes: unreportedMinutes };
  return counted_from === null
    ? t('prints.unreported', words)
    : t('prints.unreported_since', { ...words, time: format.dateTime(counted_from) });
};
