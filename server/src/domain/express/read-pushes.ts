import { raiseAlert } from '#domain/alerts/alerts.ts';
import type { Carrier, CarrierMessage } from '#domain/carriers/carriers.ts';
import { jsonText, queueStatement, rowsAtEnd, rowsAtOnce, sql } from '#platform/db/db.ts';
import type { RowOf, Tx, TxLimits } from '#platform/db/db.ts';
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

/** Milliseconds that one push of several may wait for its parcel. */
const patience = 2_000;

/**
 * Task: reads the pushes that were stored together, each in a transaction of its own, so that the parcels of two are never locked at once. Where one fails or
 * waits for long, it and those behind it are left to jobs of their own; so are all where an attempt was cut off: no push keeps the others away.
 */
export const readPushes = async (context: CarrierContext, { push_ids }: { push_ids: number[] }, { attempt, log }: JobContext): Promise<void> => {
  if (attempt > 1) return readApart(context, push_ids);
  const pushes = await unread(context, push_ids);
  const readings = pushes.map((push) => context.carrierOf(push.provider).parsePush(push.body));
  const addressed = await context.db.tx(all, (tx) => addressedTo(tx, pushes, readings));
  for (const [index, push] of pushes.entries())
    try {
      await apply(context, push, readings[index]!, addressed[index]!, { statementTimeout: patience });
    } catch (error) {
      log.warn({ err: error, push: push.id }, 'a push could not be read; it and those behind it are read by themselves');
      return readApart(
        context,
        pushes.slice(index).map(({ id }) => id),
      );
    }
};

/** Task: reads one stored push. */
export const readPush = async (context: CarrierContext, { push_id }: { push_id: number }): Promise<void> => {
  const [push] = await unread(context, [push_id]);
  if (!push) return;
  const reading = context.carrierOf(push.provider).parsePush(push.body);
  const [addressed] = await context.db.tx(all, (tx) => addressedTo(tx, [push], [reading]));
  await apply(context, push, reading, addressed!);
};

const readApart = (context: CarrierContext, push_ids: readonly number[]): Promise<void> =>
  context.db.tx(all, async (tx) => {
    for (const push_id of push_ids) await addJob(tx, 'read_push', { push_id }, { key: `read_push:${push_id}` });
  });

const unread = async (context: CarrierContext, ids: readonly number[]): Promise<PushRow[]> => {
  const { rows } = await context.db.tx(all, async (tx) =>
    rowsAtEnd(
      tx,
      sql<PushRow>`select p.id, p.merchant_id, p.body, m.provider from carrier_pushes p join merchants m on m.id = p.merchant_id
        where p.id = any(${ids}::bigint[]) and p.outcome = 'received' order by p.id`,
    ),
  );
  return rows;
};

const messagesOf = (reading: PushReading): readonly CarrierMessage[] => (reading.outcome === 'unreadable' ? [] : reading.messages);

/** The parcels of all their messages, in one statement. The waybill of a parcel counts before that of its way back and before its order number. */
const addressedTo = async (tx: Tx, pushes: readonly PushRow[], readings: readonly PushReading[]): Promise<Addressed[][]> => {
  const messages = pushes.flatMap(({ provider, merchant_id }, index) =>
    messagesOf(readings[index]!).map(({ delivery_id, order_id }) => ({ provider, merchant_id, delivery_id, order_id })),
  );
  const rows =
    messages.length === 0
      ? []
      : await rowsAtOnce(
          tx,
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

/** Messages of a push by the parcel that they are about. */
const byParcel = (addressed: readonly Addressed[]): [express_id: number, messages: CarrierMessage[]][] => {
  const parcels = new Map<number, CarrierMessage[]>();
  for (const { message, express_id } of addressed) if (express_id !== null) parcels.set(express_id, [...(parcels.get(express_id) ?? []), message]);
  return [...parcels];
};

/**
 * Applies a push that is still unread and notes its outcome; a push of no parcel keeps its reason. A push about several parcels takes one after the other, each in a
 * transaction of its own: two of them never wait for each other's parcels, and none keeps a parcel locked while it takes the rest.
 */
const apply = async (context: CarrierContext, push: PushRow, reading: PushReading, addressed: readonly Addressed[], limits?: TxLimits): Promise<void> => {
  // A parcel may have got its number since the others were looked up.
  const isPartlyKnown = addressed.some(({ express_id }) => express_id === null);
  const known = isPartlyKnown ? (await context.db.tx(all, (tx) => addressedTo(tx, [push], [reading])))[0]! : addressed;
  const parcels = byParcel(known);
  const last = parcels.pop();
  for (const [express_id, messages] of parcels) await context.db.tx(all, (tx) => applyMessages(context, tx, express_id, 'push', messages), limits);
  await context.db.tx(
    all,
    async (tx) => {
      const open = await rowsAtOnce(tx, sql`select id from carrier_pushes where id = ${push.id} and outcome = 'received' for update`);
      if (open.length === 0) return;
      let outcome = last ? 'taken' : 'unknown_parcel';
      if (reading.outcome === 'unreadable') {
        await raiseAlert(tx, { ...reading.reason, merchant_id: push.merchant_id, key: `push:${push.id}` });
        outcome = 'unreadable';
      }
      if (last) await applyMessages(context, tx, last[0], 'push', last[1]);
      await queueStatement(tx, tx.updateTable('carrier_pushes').set({ outcome }).where('id', '=', push.id).compile());
    },
    limits,
  );
};
