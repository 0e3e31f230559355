import { printDrivers, unreportedMinutes } from '@waystation/contract/print.ts';
import type { countPrints } from '@waystation/contract/print.ts';
import type { OutputOf } from '@waystation/contract/endpoint.ts';
import type { Language } from '@waystation/contract/errors.ts';
import type { Format } from '#base/format.ts';
import type { Say } from '#base/texts.ts';

type Answer = OutputOf<typeof countPrints>;

/** A share in per cent with one decimal; of nothing, none. */
export const rateOf = (part: number, total: number): number => (total === 0 ? 0 : Math.round((part / total) * 1000) / 10);

/** How many of what is found were reprints, and how many failed; dashes where there are more than are counted. */
export const sumsText = ({ total, reprints, failed }: Answer, t: Say, format: Format): string => {
  if (reprints === null || failed === null) return t('prints.sums_many');
  const rate = (part: number): string => `${rateOf(part, total)}%`;
  return t('prints.sums', { again: format.number(reprints), again_rate: rate(reprints), failed: format.number(failed), failed_rate: rate(failed) });
};

/** Printers whose labels failed, with the time since when labels are counted where there are older ones; null: none failed. */
export const failingText = ({ failing, counted_from }: Answer, t: Say, language: Language, format: Format): string | null => {
  if (failing.length === 0) return null;
  const printers = failing
    .map(({ driver, printer, total, failed }) =>
      t('prints.failing_one', {
        printer: printer || printDrivers[driver][language],
        failed: format.number(failed),
        total: format.number(total),
        rate: rateOf(failed, total),
      }),
    )
    .join(language === 'zh' ? '；' : '; ');
  return counted_from === null ? t('prints.failing', { printers }) : t('prints.failing_since', { printers, time: format.dateTime(counted_from) });
};

/** Labels that were not reported, as `failingText`. */
export const unreportedText = ({ unreported, counted_from }: Answer, t: Say, format: Format): string | null => {
  if (unreported === 0) return null;
  const words = { count: format.number(unreported), minutes: unreportedMinutes };
  return counted_from === null ? t('prints.unreported', words) : t('prints.unreported_since', { ...words, time: format.dateTime(counted_from) });
};
