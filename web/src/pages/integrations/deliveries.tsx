import {
  listDeliveries,
  replayDeliveries,
  replayDelivery,
} from '@waystation/contract/people/webhook.ts';
import type { Webhook, WebhookDelivery } from '@waystation/contract/people/webhook.ts';
import {
  deliveryStatusWords,
  webhookErrorWords,
  webhookKindWords,
} from '@waystation/contract/people/webhook-words.ts';
import { wordOf } from '@waystation/contract/base/word-of.ts';
import { call } from '#base/call.ts';
import { useFormat } from '#base/format.ts';
import { refresh, useCall } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import { Button } from '#ui/button.tsx';
import { Empty } from '#ui/empty.tsx';
import { notify } from '#ui/overlay/notify.tsx';
import primitives from '#ui/primitives.module.css';
import { Waiting } from '#ui/waiting.tsx';
import styles from './integrations.module.css';
import { useWebhookWords } from './words.ts';

/** Milliseconds for which the server keeps deliveries. */
const keptMs = 14 * 86_400_000;

/** The attempts before the last attempt, one line each. */
const Earlier = ({ attempts }: { attempts: WebhookDelivery['earlier'] }) => {
  const { language } = useTexts();
  const say = useWebhookWords();
  const format = useFormat();
  if (attempts.length === 0) return null;
  return (
    <details>
      <summary>{say('earlier', { count: attempts.length })}</summary>
      <ol className={styles['earlier']}>
        {attempts.map(({ at, ms, http_status, error, answer }) => (
          <li key={at}>
            {[
              format.moment(at),
              http_status,
              `${ms} ms`,
              error && wordOf(webhookErrorWords, error, language),
            ]
              .filter((fact) => fact !== null)
              .join(' · ')}
            {answer && <div>{answer}</div>}
          </li>
        ))}
      </ol>
    </details>
  );
};

const Delivery = ({ row, replay }: { row: WebhookDelivery; replay: (() => void) | null }) => {
  const { language } = useTexts();
  const say = useWebhookWords();
  const format = useFormat();
  const { kind, status, error, detail, http_status, ms, attempts, next_at, sent_at } = row;
  const facts = [
    kind,
    format.time(sent_at ?? row.at),
    say('attempts', { count: attempts }),
    http_status === null ? null : String(http_status),
    ms === null ? null : `${ms} ms`,
    error === null
      ? null
      : wordOf(webhookErrorWords, error, language) + (detail ? ` (${detail})` : ''),
    next_at !== null && attempts > 0 ? say('next', { time: format.time(next_at) }) : null,
  ];
  return (
    <li className={styles['delivery']}>
      <div className={primitives['row']}>
        <strong>
          {kind === 'webhook.test' ? say('test') : wordOf(webhookKindWords, kind, language)}
        </strong>
        <span className={styles['status']} data-status={status}>
          {wordOf(deliveryStatusWords, status, language)}
        </span>
        {replay && status !== 'pending' && (
          <span className={styles['end']}>
            <Button size="small" onClick={replay}>
              {say('replay')}
            </Button>
          </span>
        )}
      </div>
      <div className={primitives['quiet']}>{facts.filter((fact) => fact !== null).join(' · ')}</div>
      {row.request !== null && (
        <details>
          <summary>{say('request')}</summary>
          <pre>{laidOut(row.request)}</pre>
        </details>
      )}
      {row.answer !== null && row.answer !== '' && (
        <details>
          <summary>{say('response')}</summary>
          <pre>{laidOut(row.answer)}</pre>
        </details>
      )}
      <Earlier attempts={row.earlier} />
    </li>
  );
};

/** A body in readable form: JSON with one line per field, any other text unchanged. */
const laidOut = (body: string): string => {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
};

/** The newest deliveries of a webhook, each with its last attempt. */
export const Deliveries = ({ webhook }: { webhook: Webhook }) => {
  const say = useWebhookWords();
  const { id, mine, status } = webhook;
  const { data } = useCall(
    listDeliveries,
    { id, page_size: 50 },
    { staleTime: 0, refetchInterval: 3_000 },
  );
  const own = mine === 1 && status === 'live';
  const then = async (change: () => Promise<void>): Promise<void> => {
    try {
      await change();
    } catch (error) {
      notify.failure(error);
    } finally {
      await refresh(listDeliveries);
    }
  };
  const replay = (delivery: number): Promise<void> =>
    then(async () => void (await call(replayDelivery, { id, delivery })));
  const replayFailed = (): Promise<void> =>
    then(async () => {
      const to = new Date();
      const from = new Date(to.getTime() - keptMs);
      const { replayed } = await call(replayDeliveries, {
        id,
        from: from.toISOString(),
        to: to.toISOString(),
      });
      notify.success(say('replayed', { count: replayed }));
    });
  const failed = data?.items.some((row) => row.status === 'failed') ?? false;
  return (
    <>
      {webhook.dropped > 0 && <p>{say('dropped', { count: webhook.dropped })}</p>}
      {own && failed && <Button onClick={() => void replayFailed()}>{say('replay_failed')}</Button>}
      {!data ? (
        <Waiting />
      ) : data.items.length === 0 ? (
        <Empty title={say('no_deliveries')} />
      ) : (
        <ul className={styles['deliveries']}>
          {data.items.map((row) => (
            <Delivery key={row.id} row={row} replay={own ? () => void replay(row.id) : null} />
          ))}
        </ul>
      )}
    </>
  );
};
