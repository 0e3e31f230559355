import type { Language } from '@waystation/contract/base/errors.ts';
import type { Params } from '@waystation/contract/base/envelope.ts';
import { fill } from '@waystation/contract/base/fill.ts';
import type { NoticeChannel } from '@waystation/contract/people/notice-channel.ts';
import { channelErrorWords, noticeWords } from '@waystation/contract/people/notice-words.ts';
import type { NoticeWord } from '@waystation/contract/people/notice-words.ts';
import { wordOf } from '@waystation/contract/base/word-of.ts';
import { useTexts } from '#base/texts.ts';

type Say = (word: NoticeWord, params?: Params) => string;
const spoken: Record<Language, Say> = {
  zh: (word, params) => fill(noticeWords[word].zh, params),
  en: (word, params) => fill(noticeWords[word].en, params),
};

/** The texts of channels in the reader's language. */
export const useNoticeWords = (): Say => spoken[useTexts().language];

/**
 * The reason why the last message did not arrive, with the error code of the receiving service.
 * Null if it arrived.
 */
export const channelError = (
  { error, detail }: Pick<NoticeChannel, 'error' | 'detail'>,
  language: Language,
): string | null => {
  if (error === null) return null;
  const words = fill(wordOf(channelErrorWords, error, language), { detail });
  return detail === '' || error === 'status' ? words : `${words} (${detail})`;
};
