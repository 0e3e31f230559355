import type { Language } from '@waystation/contract/base/errors.ts';
import type { Webhook } from '@waystation/contract/people/webhook.ts';
import { webhookStatusWords, webhookStopWords } from '@waystation/contract/people/webhook-words.ts';
import { wordOf } from '@waystation/contract/base/word-of.ts';
import { useTexts } from '#base/texts.ts';
import styles from './integrations.module.css';
import { useWebhookWords } from './words.ts';

/** All texts that the tag can show. The width of the tag's column is calculated from them. */
export const statusTexts = (language: Language): string[] => [
  ...Object.values(webhookStatusWords).map((words) => words[language]),
  ...Object.values(webhookStopWords).map((words) => words[language]),
];

/** Shows the status of a webhook, or the reason why it is disabled. */
export const WebhookStatusTag = ({ status, stopped_by, failures }: Webhook) => {
  const { language } = useTexts();
  const say = useWebhookWords();
  const why = stopped_by && wordOf(webhookStopWords, stopped_by, language);
  const isFailing = status === 'live' && failures > 0;
  return (
    <span className={styles['status']} data-status={isFailing ? 'failing' : status}>
      {status === 'disabled' && why
        ? why
        : isFailing
          ? say('failing')
          : wordOf(webhookStatusWords, status, language)}
    </span>
  );
};
