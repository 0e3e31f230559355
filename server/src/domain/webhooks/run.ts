import { openWire, outboundPolicy } from '#domain/carriers/carriers.ts';
import type { Wire } from '#domain/carriers/carriers.ts';
import type { Clock } from '#platform/clock.ts';
import { sql } from '#platform/db/db.ts';
import type { Db } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import type { Log } from '#platform/log.ts';
import type { Secrets } from '#platform/secrets/secrets.ts';
import { claim, isDue, renewLeases } from './claim.ts';
import type { Claimed } from './claim.ts';
import { fanOut } from './fan-out.ts';
import { answerSize, callWithin, leaseMs, slots } from './schedule.ts';
import { send } from './send.ts';
import type { Attempt } from './settle.ts';
import { settle } from './settle.ts';
import { resolveName } from './names.ts';

export interface WebhookApp {
  config: { webhookAllow: readonly string[] };
  db: Db;
  clock: Clock;
  secrets: Secrets;
  log: Log;
}

/**
 * Opens connections like those for carriers, but with the outbound policy and the name look-up of
 * webhooks.
 */
export const webhookWire = ({ config }: Pick<WebhookApp, 'config'>): Wire =>
  openWire({
    outbound: outboundPolicy(config.webhookAllow),
    resolve: resolveName,
    timeoutMs: callWithin.whole,
    connectTimeoutMs: callWithin.connect,
    maxAnswerBytes: answerSize.bytes,
  });

/** True if there is an event, or a webhook with a delivery that is due. */
const isWork = async (db: Db, now: Date): Promise<boolean> => {
  const [row] = await db.rows(
    systemScope('webhook deliveries'),
    sql<{ found: boolean }>`select exists (select from webhook_events)
      or exists (select from webhooks k where ${isDue(now)}) as found`,
  );
  return row?.found ?? false;
};

/**
 * The failed attempt of a delivery that could not be sent because of an error of our own. It counts
 * as an attempt, so that the delivery is not repeated for ever.
 */
const broken = (sent_at: Date): Attempt => ({
  request: null,
  sent_at,
  ms: 0,
  http_status: null,
  answer: null,
  error: 'internal',
  detail: '',
});

interface Turn {
  /** The deliveries that are being sent now, by delivery id. */
  running: Map<number, Claimed & { done: Promise<void> }>;
  /** Called when the sending of a delivery has ended. */
  ended: () => void;
}

/**
 * Creates deliveries of new events, and starts to send those that are due, as far as slots are
 * free.
 */
const takeTurn = async (app: WebhookApp, wire: Wire, { running, ended }: Turn): Promise<number> => {
  const now = app.clock.now();
  if (!(await isWork(app.db, now))) return 0;
  await fanOut(app.db, now);
  const failing = [...running.values()].filter((one) => one.failing).length;
  const free = slots.all - running.size;
  const room = { all: free, healthy: slots.all - slots.failing, failing: slots.failing - failing };
  const claimed = await claim(app.db, now, room, [...running.keys()]);
  for (const one of claimed) {
    const noted = (error: unknown): void =>
      app.log.error({ err: error, delivery: one.id }, 'a webhook delivery was not sent');
    const done = send({ ...app, wire }, one)
      .catch((error: unknown) => {
        noted(error);
        return settle(app, one, broken(app.clock.now()));
      })
      .catch(noted)
      .finally(() => {
        running.delete(one.id);
        ended();
      });
    running.set(one.id, { ...one, done });
  }
  return claimed.length;
};

/** Sends everything that is due now and waits for the answers; used in tests. */
export const runWebhooks = async (app: WebhookApp): Promise<void> => {
  const wire = webhookWire(app);
  const running: Turn['running'] = new Map();
  while ((await takeTurn(app, wire, { running, ended: () => {} })) > 0)
    await Promise.all([...running.values()].map(({ done }) => done));
  wire.close();
};

/**
 * The time to the next turn in milliseconds. `idle`: normally. `soon`: after a delivery was sent.
 */
const pace = { idle: 1_000, soon: 50 };

/** Sends deliveries until it is stopped; `stop` waits for the deliveries that are being sent. */
export const startWebhooks = (app: WebhookApp): { stop(): Promise<void> } => {
  const wire = webhookWire(app);
  const running: Turn['running'] = new Map();
  let stopped = false;
  let turn: Promise<void> | null = null;
  let timer: NodeJS.Timeout | undefined;
  const plan = (ms: number): void => {
    clearTimeout(timer);
    if (!stopped) timer = setTimeout(begin, ms);
  };
  const take = async (): Promise<void> => {
    let claimed = 0;
    try {
      claimed = await takeTurn(app, wire, { running, ended: () => turn ?? plan(pace.soon) });
    } catch (error) {
      app.log.error({ err: error }, 'webhooks could not be sent');
    }
    turn = null;
    plan(claimed > 0 ? pace.soon : pace.idle);
  };
  const begin = (): void => {
    turn ??= take();
  };
  begin();
  const renewal = setInterval(() => {
    renewLeases(app.db, [...running.values()]).catch((error: unknown) =>
      app.log.error({ err: error }, 'leases of webhook deliveries were not renewed'),
    );
  }, leaseMs / 4);
  return {
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await turn;
      await Promise.all([...running.values()].map(({ done }) => done));
      clearInterval(renewal);
      wire.close();
    },
  };
};
