import { raiseAlert } from '#domain/alerts/alerts.ts';
import type { Carrier, CarrierMessage } from '#domain/carriers/carriers.ts';
import { isUnavailable, jsonText, queueStatement, rowsAtEnd, sql } from '#platform/db/db.ts';
import type { RawBuilder, RowOf } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { addJob } from '#platform/jobs/jobs.ts';
import type { JobContext } from '#platform/jobs/jobs.ts';
import type { CarrierContext } from '#domain/carrier-accounts/carrier-accounts.ts';
import { applyMessages } from './messages.ts';

const all = systemScope('pushes are read');

type PushReading = ReturnType<Carrier['parsePush']>;
type PushRow = RowOf<'carrier_pushes', 'id' | 'merchant_id' | 'body'> & RowOf<'merchants', 'provider'>;

/** A message and the parcel it is about; null: none of ours. */
interface Addressed {
  message: CarrierMessage;
  express_id: number | null;
}

/**
 * Task: reads the pushes that were stored together. Each is applied in a transaction of its own, so that no two parcels are ever locked at once. One that
 * fails is left to a job of its own, and so are all where an attempt was cut off: a push that brings a process down must not keep the others away.
 */
export const readPushes = async (context: CarrierContext, { push_ids }: { push_ids: number[] }, { attempt, log }: JobContext): Promise<void> => {
  if (attempt > 1) return readApart(context, push_ids);
  const pushes = await unread(context, push_ids);
  const readings = pushes.map((push) => context.carrierOf(push.provider).parsePush(push.body));
  const addressed = await addressedTo(context, pushes, readings);
  const failed: number[] = [];
  for (const [index, push] of pushes.entries())
    try {
      await apply(context, push, readings[index]!, addressed[index]!);
    } catch (error) {
      if (isUnavailable(error)) throw error;
      log.warn({ err: error, push: push.id }, 'a push could not be read; it is tried again by itself');
      failed.push(push.id);
    }
  if (failed.length > 0) await readApart(context, failed);
};

/** Task: reads one stored push. */
export const readPush = async (context: CarrierContext, { push_id }: { push_id: number }): Promise<void> => {
  const [push] = await unread(context, [push_id]);
  if (!push) return;
  const reading = context.carrierOf(push.provider).parsePush(push.body);
  const [addressed] = await addressedTo(context, [push], [reading]);
  await apply(context, push, reading, addressed!);
};

const readApart = (context: CarrierContext, push_ids: readonly number[]): Promise<void> =>
  context.db.tx(all, async (tx) => {
    for (const push_id of push_ids) await addJob(tx, 'read_push', { push_id }, { key: `read_push:${push_id}` });
  });

/** The rows of one statement in a round trip of its own. */
const read = async <R>(context: CarrierContext, query: RawBuilder<R>): Promise<R[]> => {
  const { rows } = await context.db.tx(all, async (tx) => rowsAtEnd(tx, query));
  return rows;
};

const unread = (context: CarrierContext, ids: readonly number[]): Promise<PushRow[]> =>
  read(
    context,
    sql<PushRow>`select p.id, p.merchant_id, p.body, m.provider from carrier_pushes p join merchants m on m.id = p.merchant_id
      where p.id = any(${ids}::bigint[]) and p.outcome = 'received' order by p.id`,
  );

const messagesOf = (reading: PushReading): readonly CarrierMessage[] => (reading.outcome === 'unreadable' ? [] : reading.messages);

/** The parcels of all their messages, in one statement. The waybill of a parcel counts before that of its way back and before its order number. */
const addressedTo = async (context: CarrierContext, pushes: readonly PushRow[], readings: readonly PushReading[]): Promise<Addressed[][]> => {
  const messages = pushes.flatMap(({ provider, merchant_id }, index) =>
    messagesOf(readings[index]!).map(({ delivery_id, order_id }) => ({ provider, merchant_id, delivery_id, order_id })),
  );
  const rows =
    messages.length === 0
      ? []
      : await read(
          context,
          sql<{ n: number; id: number }>`select h.n::int, e.id
            from rows from (jsonb_to_recordset(${jsonText(messages)}::jsonb) as (provider text, merchant_id bigint, delivery_id text, order_id text)) with ordinality
              as h (provider, merchant_id, delivery_id, order_id, n)
            cross join lateral (
              select id from (
                select id, 0 as rank from expresses where provider = h.provider and delivery_id = h.delivery_id and merchant_id = h.merchant_id
                union all select id, 1 from expresses where return_delivery_id = h.delivery_id and provider = h.provider and merchant_id = h.merchant_id
                union all select id, 1 from expresses where order_id = h.order_id and provider = h.provider and merchant_id = h.merchant_id) named
              order by rank, id limit 1) e`,
        );
  const found = new Map(rows.map(({ n, id }) => [n, id]));
  let n = 0;
  return readings.map((reading) => messagesOf(reading).map((message) => ({ message, express_id: found.get(++n) ?? null })));
};

/** Applies a push and notes its outcome; a push of no parcel keeps its reason. Read twice it has its effect once, as each of its messages has. */
const apply = (context: CarrierContext, push: PushRow, reading: PushReading, addressed: readonly Addressed[]): Promise<void> =>
  context.db.tx(all, async (tx) => {
    let outcome = 'unknown_parcel';
    if (reading.outcome === 'unreadable') {
      await raiseAlert(tx, { ...reading.reason, merchant_id: push.merchant_id, key: `push:${push.id}` });
      outcome = 'unreadable';
    }
    for (const { message, express_id } of addressed) {
      if (express_id === null) continue;
      await applyMessages(context, tx, express_id, 'push', [message]);
      outcome = 'taken';
    }
    await queueStatement(tx, tx.updateTable('carrier_pushes').set({ outcome }).where('id', '=', push.id).compile());
  });
