import { describe, expect, it } from 'vitest';
import { formatOf } from '#base/formats.ts';
import type { Say } from '#base/texts.ts';
import { translator } from '#base/translate.ts';
import { enUS } from '#locales/en-US/en-US.ts';
import { failingText, sumsText, unreportedText } from './count-texts.ts';

const t = translator(enUS, 'en-US') as Say;
const format = formatOf('en-US');
const counted = {
  total: 400,
  total_is_capped: 0 as const,
  reprints: 30,
  failed: 1,
  unreported: 0,
  failing: [],
  counted_from: null,
};
const many = {
  ...counted,
  total: 10_000,
  total_is_capped: 1 as const,
  reprints: null,
  failed: null,
};
const failing = [{ driver: 'component' as const, printer: '', total: 16_000, failed: 40 }];
const counted_from = '2026-02-01T00:00:00.000Z';

describe('the notices of the print records', () => {
  it('the numbers of reprints and failures are shown with their rates; if more labels match than are counted, dashes are shown instead', () => {
    expect(sumsText(counted, t, format)).toBe('Reprints 30 (7.5%), failed 1 (0.3%)');
    expect(sumsText(many, t, format)).toBe('Reprints —, failed —');
  });

  it('if more labels match than are counted, the notice of a failing printer contains the time from which failures are counted', () => {
    expect(failingText(many, t, 'en', format)).toBeNull();
    expect(failingText({ ...counted, failing }, t, 'en', format)).toBe(
      'Failed labels: Local print component: 40 of 16,000 (0.3%)',
    );
    expect(failingText({ ...many, failing, counted_from }, t, 'en', format)).toBe(
      `Failed labels since ${format.dateTime(counted_from)}: Local print component: 40 of 16,000 (0.3%)`,
    );
  });

  it('if more labels match than are counted, the notice of unreported labels contains the time from which labels are counted', () => {
    expect(unreportedText(many, t, format)).toBeNull();
    expect(unreportedText({ ...counted, unreported: 1 }, t, format)).toBe(
      '1 label has had no result for 30 minutes and may not have come out.',
    );
    expect(unreportedText({ ...many, unreported: 1_200, counted_from }, t, format)).toBe(
      `1,200 labels printed since ${format.dateTime(counted_from)} have had no result for 30 minutes and may not have come out.`,
    );
  });
});
