/**
 * The acts of people on a parcel whose carrier has faults, and the data of the parcel that they can
 * read.
 */
import { stateAllows, stateCode } from '@waystation/contract/parcels/express-states.ts';
import type { StateCode } from '@waystation/contract/parcels/express-states.ts';
import { placeOrder, resubmit } from '#domain/express/order.ts';
import {
  cancelExpress,
  decideOutcome,
  lockExpress,
  queueTrace,
  reweigh,
} from '#domain/express/express.ts';
import type { ParcelFields } from '#domain/express/express-reads.ts';
import { editSent } from '#domain/express/edit-sent.ts';
import { checkedParcel } from '#domain/express/parcel.ts';
import { pollLive } from '#domain/express/poll.ts';
import { sql } from '#platform/db/db.ts';
import type { Work } from '#platform/db/db.ts';
import { Failure } from '#platform/fail.ts';
import { systemScope } from '#platform/db/scope.ts';
import { exampleOrder } from '#testing/test-system.ts';
import type { FaultGround } from './ground.ts';

const all = systemScope('carrier faults');

type Terms = Parameters<typeof placeOrder>[2]['station'];

const stationOf = async (work: Work, id: number): Promise<Terms> =>
  (
    await sql<Terms>`select id, name, status, money, "freeze", available, has_amount,
      allow_select, allow_print, project_id, customer_code from stations
      where id = ${id}`.execute(work.tx)
  ).rows[0]!;

/** Orders a parcel from the example station, and returns it. */
export const orderParcel = (
  { context, api }: FaultGround,
  changes: Partial<ParcelFields>,
): Promise<{ id: number; order_id: string }> =>
  context.db.tx(all, async (work) => {
    const fields = await checkedParcel(work, {
      ...(exampleOrder() as Partial<ParcelFields>),
      ...changes,
    });
    const station = await stationOf(work, api.station('nanshan').id);
    const user_id = api.network.office;
    return placeOrder(context, work, { station, user_id, fields, expected_amount: undefined });
  });

/**
 * Runs an act of a person. Returns null, or the error code if the product refuses the act. Throws
 * any other error.
 */
const attempt = async (act: () => Promise<unknown>): Promise<string | null> => {
  try {
    await act();
    return null;
  } catch (error) {
    if (error instanceof Failure) return error.code;
    throw error;
  }
};

export const editParcel = (
  { context, api }: FaultGround,
  id: number,
  input: Partial<ParcelFields>,
): Promise<string | null> =>
  attempt(() =>
    context.db.tx(all, async (work) => {
      const express = await lockExpress(work, id);
      if (express.state_code !== stateCode.awaitingPickup)
        throw new Failure('state_forbids', {}, {});
      const { office } = api.network;
      await editSent(context, work, express, { input, allow_select: 1, by: office });
    }),
  );

export const cancelParcel = ({ context, api }: FaultGround, id: number): Promise<string | null> =>
  attempt(() =>
    context.db.tx(all, async (work) => {
      const express = await lockExpress(work, id);
      if (!stateAllows(express.state_code, 'cancel')) throw new Failure('state_forbids', {}, {});
      await cancelExpress(context, work, express, { reason: 'no', by: api.network.office });
    }),
  );

export const weighParcel = (
  { context, api }: FaultGround,
  id: number,
  grams: number,
): Promise<string | null> =>
  attempt(() =>
    context.db.tx(all, async (work) => {
      const express = await lockExpress(work, id);
      await reweigh(work, express, grams, {
        source: 'station',
        at: context.clock.now(),
        account_id: api.network.office,
        reason: 'weighed',
      });
    }),
  );

/** Orders a parcel again after the carrier has refused its order. */
export const resubmitParcel = ({ context, api }: FaultGround, id: number): Promise<string | null> =>
  attempt(() =>
    context.db.tx(all, async (work) => {
      const express = await lockExpress(work, id);
      if (express.state_code !== stateCode.failed) throw new Failure('state_forbids', {}, {});
      await resubmit(context, work, express, {
        station: await stationOf(work, express.station_id),
        fields: await checkedParcel(work, express),
        by: api.network.office,
      });
    }),
  );

/**
 * Simulates that the office resumes the carrier accounts that were paused because the carrier's
 * gateway refused them.
 */
export const resumeAccounts = ({ context }: FaultGround): Promise<void> =>
  context.db.tx(all, async (work) => {
    await sql`update merchants set paused_at = null, paused_reason = ''
      where paused_at is not null`.execute(work.tx);
  });

/**
 * Simulates that the office decides the outcome of an order. Returns null if the decision was
 * accepted, and otherwise the error code.
 */
export const decide = async (
  { context, api }: FaultGround,
  { id, version }: ReadParcel,
  delivery_id: string | null,
): Promise<string | null> => {
  const verdict = await decideOutcome(context, all, {
    id,
    version,
    by: api.network.office,
    stored: delivery_id === null ? null : { delivery_id, compared: true },
    reference: null,
    isRepeated: async () => false,
    record: async () => {},
  });
  return verdict === 'decided' ? null : typeof verdict === 'string' ? verdict : verdict.code;
};

/** Asks the carrier about all unfinished parcels. The scheduled task does the same. */
export const poll = async ({ context, api }: FaultGround): Promise<void> =>
  pollLive({ ...context, config: api.app.config });

export const askTraceOf = ({ context }: FaultGround, id: number): Promise<void> =>
  context.db.tx(all, (work) => queueTrace(work, id));

/** A parcel and its amounts in fen, as people see them. */
export interface ReadParcel {
  id: number;
  version: number;
  order_id: string;
  state_code: StateCode;
  reason: string | null;
  delivery_id: string | null;
  promise_id: string;
  receive_province: string;
  guarantee_value_amount: number;
  weight: number;
  re_weight: number | null;
  attempt: number;
  modifying: number;
  cancelling: boolean;
  intercepting: number;
  exception: string | null;
  order_tries: number;
  charges: number;
  paid_amount: number;
  held_amount: number;
  cost_amount: number;
  earned: Record<string, number>;
  alerts: string[];
}

export const readParcels = ({ api }: FaultGround, ids: readonly number[]): Promise<ReadParcel[]> =>
  api.rows(
    sql<ReadParcel>`select e.id, e.version, e.order_id, e.state_code,
      e.state_reason ->> 'code' as reason, e.delivery_id, e.promise_id, e.receive_province,
      e.guarantee_value_amount, e.weight, e.re_weight, e.attempt, e.modifying,
      e.cancel_requested_at is not null as cancelling, e.intercepting, e.exception,
      e.order_tries,
      (select count(*) from ledger_transfers t where t.express_id = e.id
        and t.kind = 'charge') as charges,
      (select coalesce(-sum(s.amount), 0) from statements s where s.express_id = e.id
        and s.station_id = e.station_id and s.type in ('charge', 'reweigh',
        'surcharge'))::bigint as paid_amount,
      (select coalesce(sum(h.amount), 0) from ledger_holds h where h.express_id = e.id
        and h.status = 'open')::bigint as held_amount,
      (select coalesce(sum(x.amount), 0) from ledger_entries x
        join ledger_transfers t on t.id = x.transfer_id where t.express_id = e.id
        and x.account = 'carrier_payable')::bigint as cost_amount,
      (select coalesce(jsonb_object_agg(station_id, amount), '{}')
        from (select station_id, sum(amount) as amount from statements where express_id = e.id
        and type = 'profit' group by 1) p) as earned,
      array(select a.code from alerts a where a.express_id = e.id order by 1) as alerts
      from expresses e where e.id = any(${[...ids]}::bigint[]) order by e.id`,
  );
