import type { Language } from '@waystation/contract/base/errors.ts';
import type { Params } from '@waystation/contract/base/envelope.ts';
import { fill } from '@waystation/contract/base/fill.ts';
import { keyWords } from '@waystation/contract/people/key-words.ts';
import type { KeyWord } from '@waystation/contract/people/key-words.ts';
import type { Webhook } from '@waystation/contract/people/webhook.ts';
import { webhookKindWords, webhookWords } from '@waystation/contract/people/webhook-words.ts';
import type { WebhookWord } from '@waystation/contract/people/webhook-words.ts';
import { wordOf } from '@waystation/contract/base/word-of.ts';
import { useTexts } from '#base/texts.ts';

type Say<W> = (word: W, params?: Params) => string;
type Words<W extends string> = Readonly<Record<W, Readonly<Record<Language, string>>>>;

/**
 * One function per language. Each is the same object at every render, so that effects can depend on
 * it.
 */
const spoken = <W extends string>(words: Words<W>): Record<Language, Say<W>> => ({
  zh: (word, params) => fill(words[word].zh, params),
  en: (word, params) => fill(words[word].en, params),
});
const keys = spoken<KeyWord>(keyWords);
const webhooks = spoken<WebhookWord>(webhookWords);

/** The texts of API keys in the reader's language. */
export const useKeyWords = (): Say<KeyWord> => keys[useTexts().language];

/** The texts about webhooks in the user's language. */
export const useWebhookWords = (): Say<WebhookWord> => webhooks[useTexts().language];

/** The names of the events that are sent to a webhook, as one text. */
export const useEventsText = (): ((webhook: Webhook) => string) => {
  const { language } = useTexts();
  const between = language === 'zh' ? '、' : ', ';
  return ({ events }) =>
    events.map((kind) => wordOf(webhookKindWords, kind, language)).join(between);
};
