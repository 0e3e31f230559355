import { fill } from '@waystation/contract/base/fill.ts';
import { providers } from '@waystation/contract/network/provider.ts';
import { scanResults } from '@waystation/contract/parcels/handover.ts';
import type { ScanAnswer } from '@waystation/contract/parcels/handover.ts';
import { wordOf } from '@waystation/contract/base/word-of.ts';
import { useTexts } from '#base/texts.ts';
import { useStateWords } from '#parcels/status-tag.tsx';

export type AnswerTone = 'good' | 'warn' | 'bad';

/**
 * If a package that was already handed over is scanned again, this is only a warning. For any other
 * refusal, the package must not be handed over.
 */
export const toneOfAnswer = ({ result }: Pick<ScanAnswer, 'result'>): AnswerTone =>
  result === 'given' ? 'good' : result === 'given_before' ? 'warn' : 'bad';

type Worded = Pick<ScanAnswer, 'result' | 'detail' | 'package_count'>;

/**
 * The text that shows the answer to a scan in the user's language, and the text of the next step.
 */
export const useAnswerWords = (): ((answer: Worded) => { words: string; next: string }) => {
  const { language } = useTexts();
  const stateWords = useStateWords();
  return ({ result, detail, package_count }) => {
    const params = {
      handover_id: detail.handover_id ?? '',
      station_name: detail.station_name ?? '',
      package_count: package_count ?? '',
      carrier: detail.provider ? wordOf(providers, detail.provider, language) : '',
      state: detail.state_code === undefined ? '' : stateWords(detail.state_code),
    };
    const texts = scanResults[result];
    return { words: fill(texts[language], params), next: fill(texts.next[language], params) };
  };
};
