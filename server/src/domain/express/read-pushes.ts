import { firstOf } from '@waystation/contract/base/present.ts';
import { raiseAlert, raiseAlertOnce } from '#domain/alerts/alerts.ts';
import type { Carrier, CarrierMessage, PushedFee } from '#domain/carriers/carriers.ts';
import { jsonText, queueStatement, rowsAtEnd, rowsAtOnce, sql } from '#platform/db/db.ts';
import type { RowOf, TxLimits, Work } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { addJob } from '#platform/jobs/jobs.ts';
import type { JobContext } from '#platform/jobs/task.ts';
import type { CarrierContext } from '#domain/carrier-accounts/carrier-accounts.ts';
import { applyMessages } from './messages.ts';
import { takePushedFees } from './pushed-fees.ts';
import { readPushTask } from './queues.ts';

const all = systemScope('pushes are read');

type PushReading = ReturnType<Carrier['parsePush']>;
type PushRow = RowOf<'carrier_pushes', 'id' | 'merchant_id' | 'body'> &
  RowOf<'merchants', 'provider'>;

/** A message and the id of its parcel; null if the message is about none of our parcels. */
interface Addressed {
  message: CarrierMessage;
  express_id: number | null;
}

/** Milliseconds for which one push in a batch may wait for the lock of its parcel. */
const timeoutMs = 2_000;

/**
 * Task: reads the pushes that were stored together, each in its own transaction, so that the
 * parcels of two pushes are never locked at the same time. If a push fails or waits too long, this
 * push and all pushes after it each get a separate job, so that it does not block them. After an
 * interrupted attempt, each push gets a separate job.
 */
export const readPushes = async (
  context: CarrierContext,
  { push_ids }: { push_ids: number[] },
  { attempt, log }: JobContext,
): Promise<void> => {
  if (attempt > 1) return readApart(context, push_ids);
  const pushes = await unread(context, push_ids);
  const readings = pushes.map((push) => context.carrierOf(push.provider).parsePush(push.body));
  const addressed = await context.db.tx(all, (work) => addressedTo(work, pushes, readings));
  for (const [index, push] of pushes.entries())
    try {
      await apply(
        context,
        push,
        { reading: readings[index]!, addressed: addressed[index]! },
        {
          statementTimeout: timeoutMs,
        },
      );
    } catch (error) {
      log.warn(
        { err: error, push: push.id },
        'a push could not be read; it and those behind it are read by themselves',
      );
      return readApart(
        context,
        pushes.slice(index).map(({ id }) => id),
      );
    }
};

/** Task: reads one stored push. */
export const readPush = async (
  context: CarrierContext,
  { push_id }: { push_id: number },
): Promise<void> => {
  const [push] = await unread(context, [push_id]);
  if (!push) return;
  const reading = context.carrierOf(push.provider).parsePush(push.body);
  const [addressed] = await context.db.tx(all, (work) => addressedTo(work, [push], [reading]));
  await apply(context, push, { reading, addressed: addressed! });
};

const readApart = (context: CarrierContext, push_ids: readonly number[]): Promise<void> =>
  context.db.tx(all, async (work) => {
    for (const push_id of push_ids) await addJob(work, readPushTask, { push_id });
  });

const unread = async (context: CarrierContext, ids: readonly number[]): Promise<PushRow[]> => {
  const { rows } = await context.db.tx(all, async (work) =>
    rowsAtEnd(
      work,
      sql<PushRow>`select p.id, p.merchant_id, p.body, m.provider from carrier_pushes p
        join merchants m on m.id = p.merchant_id
        where p.id = any(${ids}::bigint[]) and p.outcome = 'received' order by p.id`,
    ),
  );
  return rows;
};

const messagesOf = (reading: PushReading): readonly CarrierMessage[] =>
  reading.outcome === 'unreadable' ? [] : reading.messages;

const feesOf = (reading: PushReading): readonly PushedFee[] =>
  reading.outcome === 'unreadable' ? [] : (reading.fees ?? []);

/**
 * Finds the parcels of all messages in one statement. A match by the parcel's waybill takes
 * precedence over a match by a return or child waybill, and this over a match by the order number.
 */
const addressedTo = async (
  work: Work,
  pushes: readonly PushRow[],
  readings: readonly PushReading[],
): Promise<Addressed[][]> => {
  const messages = pushes.flatMap(({ provider, merchant_id }, index) =>
    messagesOf(readings[index]!).map(({ delivery_id, order_id }) => ({
      provider,
      merchant_id,
      delivery_id,
      order_id,
    })),
  );
  const rows =
    messages.length === 0
      ? []
      : await rowsAtOnce(
          work,
          sql<{ n: number; id: number }>`select h.n::int, e.id
            from rows
              from (jsonb_to_recordset(${jsonText(messages)}::jsonb) as (provider text,
              merchant_id bigint, delivery_id text, order_id text)) with ordinality
              as h (provider, merchant_id, delivery_id, order_id, n)
            cross join lateral (
              select id from (
                select id, 0 as rank from expresses where provider = h.provider
                  and delivery_id = h.delivery_id and merchant_id = h.merchant_id
                union all select id, 1 from expresses where return_delivery_id = h.delivery_id
                  and provider = h.provider and merchant_id = h.merchant_id
                union all select id, 1 from expresses where package_ids <> '{}'
                  and package_ids @> array[h.delivery_id]
                  and provider = h.provider and merchant_id = h.merchant_id
                union all select id, 2 from expresses where order_id = h.order_id
                  and provider = h.provider and merchant_id = h.merchant_id) named
              order by rank, id limit 1) e`,
        );
  const found = new Map(rows.map(({ n, id }) => [n, id]));
  let n = 0;
  return readings.map((reading) =>
    messagesOf(reading).map((message) => ({ message, express_id: found.get(++n) ?? null })),
  );
};

/** The format of our own order numbers (order.ts). */
const ourNumber = /^WS\d{6}\d{8,}$/;

/**
 * Raises one alert for each of our order numbers that no parcel has. A parcel is committed before
 * its number is sent, so the parcel's row must have been lost afterwards.
 */
const raiseLost = async (
  work: Work,
  merchant_id: number,
  { order_id, delivery_id }: CarrierMessage,
): Promise<void> => {
  if (!ourNumber.test(order_id)) return;
  // A parcel that is ordered again through another carrier account keeps its order number.
  const here = await rowsAtOnce(work, sql`select from expresses where order_id = ${order_id}`);
  if (here.length > 0) return;
  await raiseAlertOnce(work, {
    code: 'carrier_order_lost',
    params: { order_id, delivery_id },
    merchant_id,
    key: `order lost:${order_id}`,
  });
};

/** The messages of a push, grouped by the parcel that they are about. */
const byParcel = (
  addressed: readonly Addressed[],
): [express_id: number, messages: CarrierMessage[]][] => {
  const parcels = new Map<number, CarrierMessage[]>();
  for (const { message, express_id } of addressed)
    if (express_id !== null) parcels.set(express_id, [...(parcels.get(express_id) ?? []), message]);
  return [...parcels];
};

/**
 * Applies a push that was not read before, and stores its outcome. If the push is about no parcel,
 * the reason is stored. If it is about several parcels, each parcel is handled in its own
 * transaction. Two pushes therefore never deadlock over their parcels, and no parcel is locked
 * while others are handled. The text of a push about a parcel whose person was erased is not kept.
 */
const apply = async (
  context: CarrierContext,
  push: PushRow,
  { reading, addressed }: { reading: PushReading; addressed: readonly Addressed[] },
  limits?: TxLimits,
): Promise<void> => {
  // A parcel may have got its waybill since the first search.
  const isPartlyKnown = addressed.some(({ express_id }) => express_id === null);
  const known = isPartlyKnown
    ? firstOf(await context.db.tx(all, (work) => addressedTo(work, [push], [reading])))
    : addressed;
  const hasFee = await takePushedFees(context, push, feesOf(reading));
  const parcels = byParcel(known);
  const last = parcels.pop();
  let isErased = false;
  const applyTo = async (work: Work, [express_id, messages]: (typeof parcels)[number]) => {
    const { erased } = await applyMessages(context, work, express_id, {
      source: 'push',
      messages,
    });
    isErased ||= erased > 0;
  };
  for (const one of parcels) await context.db.tx(all, (work) => applyTo(work, one), limits);
  await context.db.tx(
    all,
    async (work) => {
      const open = await rowsAtOnce(
        work,
        sql`select id from carrier_pushes
        where id = ${push.id} and outcome = 'received' for update`,
      );
      if (open.length === 0) return;
      let outcome = last || hasFee ? 'taken' : 'unknown_parcel';
      if (reading.outcome === 'unreadable') {
        await raiseAlert(work, {
          ...reading.reason,
          merchant_id: push.merchant_id,
          key: `push:${push.id}`,
        });
        outcome = 'unreadable';
      }
      for (const { message, express_id } of known)
        if (express_id === null) await raiseLost(work, push.merchant_id, message);
      if (last) await applyTo(work, last);
      await queueStatement(
        work,
        work.tx
          .updateTable('carrier_pushes')
          .set({ outcome, ...(isErased && { body: '' }) })
          .where('id', '=', push.id)
          .compile(),
      );
    },
    limits,
  );
};
