import { errorText } from '#base/error-text.ts';
import { expressStates, stateAllows } from '@waystation/contract/parcels/express-states.ts';
import type { StateCode } from '@waystation/contract/parcels/express-states.ts';
import { printDrivers, printResults } from '@waystation/contract/parcels/print.ts';
import type { PrintRecord } from '@waystation/contract/parcels/print.ts';
import { wordOf } from '@waystation/contract/base/word-of.ts';
import { useFormat } from '#base/format.ts';
import { useTexts } from '#base/texts.ts';
import { nameByKey } from '#resource/record/caller-name.ts';
import { paperWords } from '#printing/labels.ts';

/** The texts about print records in the user's language. */
export const usePrintWords = () => {
  const { t, language } = useTexts();
  const format = useFormat();
  return {
    name: ({ delivery_id, print_count }: PrintRecord): string =>
      t('prints.name', { number: delivery_id, count: print_count }),
    /**
     * The user who printed the label, followed by the API key if one was used. '' if the present
     * user may not see this.
     */
    printedBy: ({ user_nickname, key_id, key_name }: PrintRecord): string =>
      user_nickname === null || key_id === null
        ? (user_nickname ?? '')
        : nameByKey(user_nickname, key_name ?? '…', language),
    paper: (row: PrintRecord): string => paperWords(row.format, t),
    driver: (row: PrintRecord): string => wordOf(printDrivers, row.driver, language),
    result: (row: PrintRecord): string => wordOf(printResults, row.result, language),
    /**
     * The reason why a label cannot be printed in the parcel's present state; null if it can be
     * printed.
     */
    blocked: ({ state_code }: PrintRecord): string | null =>
      stateAllows(state_code as StateCode, 'print')
        ? null
        : errorText(
            'not_printable',
            { state: wordOf(expressStates, state_code as StateCode, language) },
            language,
          ),
    /**
     * The text that shows whether a label printed by a scan was verified by a second scan. It is ''
     * for any other label.
     */
    verified: ({ to_verify, verified_at }: PrintRecord): string =>
      verified_at !== null
        ? format.time(verified_at)
        : to_verify === 1
          ? t('prints.unverified')
          : '',
    printer: (row: PrintRecord): string =>
      [wordOf(printDrivers, row.driver, language), row.printer].filter(Boolean).join(' · '),
    duration: ({ duration_ms }: PrintRecord): string =>
      duration_ms === null
        ? ''
        : t('prints.duration_seconds', {
            count: format.number(Math.round(duration_ms / 100) / 10),
          }),
  };
};
