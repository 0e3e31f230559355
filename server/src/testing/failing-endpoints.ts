import { runWebhooks } from '#domain/webhooks/webhooks.ts';
import { sql } from '#platform/db/db.ts';
import { rowsOf } from './test-system.ts';
import type { TestSystem } from './test-system.ts';

// These functions create a station's webhook or notification channel with a failing endpoint. They
// return the inbox message that the failure must cause.

type Post = <T>(path: string, body: object) => Promise<T>;
interface Failed {
  subject_id: number;
  entry: object | null;
}

const addressOf = (system: TestSystem): string =>
  `http://${system.app.config.webhookAllow[0]}/_sim/none`;

/**
 * Creates a webhook whose deliveries have failed for the given number of days, and makes one more
 * delivery fail. A webhook is disabled after three days of failures.
 */
export const failingWebhook = async (
  system: TestSystem,
  post: Post,
  days: number,
): Promise<Failed> => {
  const { webhook } = await post<{ webhook: { id: number } }>('webhooks', {
    name: '网店',
    url: addressOf(system),
    events: ['parcel.signed'],
    station_id: null,
    with_below: 0,
    password: 'waystation-demo',
  });
  const { id } = webhook;
  const now = system.app.clock.now();
  await rowsOf(
    system,
    sql`update webhooks set failing_since = ${new Date(now.getTime() - days * 86_400_000)},
      failed_at = ${now} where id = ${id}`,
  );
  await post(`webhooks/${id}/test`, {});
  await runWebhooks(system.app);
  const entry = days < 3 ? null : { webhook: { name: '网店', reason: 'failures' as const } };
  return { subject_id: id, entry };
};

/**
 * Creates a notice channel that has failed `failures` times in a row, and makes it fail once more.
 */
export const failingChannel = async (
  system: TestSystem,
  post: Post,
  failures: number,
): Promise<Failed> => {
  const { channel } = await post<{ channel: { id: number } }>('notices/channels', {
    kind: 'webhook',
    address: addressOf(system),
    name: '网店群',
    language: 'zh',
    kinds: ['low_balance'],
    pace: 'now',
    daily_hour: 9,
    quiet_from: null,
    quiet_to: null,
  });
  const { id } = channel;
  await rowsOf(
    system,
    sql`update notice_channels set status = 'live', failures = ${failures} where id = ${id}`,
  );
  await post(`notices/channels/${id}/test`, {});
  const entry = failures < 2 ? null : { channel: { name: '网店群', reason: 'failing' as const } };
  return { subject_id: id, entry };
};
