/**
 * The product in which a history is executed: its real functions on a real database, and a carrier
 * that follows a script. Its background jobs run one after another.
 */
import type { ParcelFields } from '#domain/express/express-reads.ts';
import {
  askFacts,
  cancelExpress,
  expressTasks,
  lockExpress,
  queueRelease,
  reweigh,
  sendOrder,
  sendOrderTask,
} from '#domain/express/express.ts';
import { applyMessages } from '#domain/express/messages.ts';
import { editSent } from '#domain/express/edit-sent.ts';
import { placeOrder, repriceAndSubmit, reprice, resubmit } from '#domain/express/order.ts';
import { checkedParcel, fieldsOf } from '#domain/express/parcel.ts';
import type { CarrierContext } from '#domain/carrier-accounts/carrier-accounts.ts';
import * as ledger from '#domain/ledger/ledger.ts';
import { buildNetwork } from '#features/demo/network.ts';
import type { App } from '#app.ts';
import type { standingClock } from '#platform/clock.ts';
import { jsonText, sql } from '#platform/db/db.ts';
import type { Work } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { Failure } from '#platform/fail.ts';
import { runHandler } from '#testing/run-handler.ts';
import { exampleOrder } from '#testing/test-system.ts';
import { scriptedCarrier, messageOf } from './carrier.ts';
import type { Script } from './carrier.ts';
import { lists, turnedAway } from './operations.ts';
import type { Known, Op, Station, To } from './operations.ts';

export const all = systemScope('history');

type Clock = ReturnType<typeof standingClock>;

export interface World {
  app: App & { clock: Clock };
  desk: CarrierContext;
  scripts: Map<string, Script>;
  /** The ids of the freight schemes, by the scheme's percent_type. */
  projects: Record<1 | 2 | 3, number>;
  clerk: number;
  orders: Map<number, string>;
  /**
   * Repeats the last movement of money with the same cause. Returns true if the result is the same
   * as the first result.
   */
  repeat: (() => Promise<boolean>) | null;
}

export interface Seen {
  refusal: string | null;
  /** The id of the created record. */
  id: number;
}

const places: Record<To, Partial<ParcelFields>> = {
  shanghai: { receive_province: '上海市', receive_city: '上海市', receive_county: '浦东新区' },
  sichuan: { receive_province: '四川省', receive_city: '成都市', receive_county: '武侯区' },
  liaoning: { receive_province: '辽宁省', receive_city: '沈阳市', receive_county: '和平区' },
  guangdong: { receive_province: '广东省', receive_city: '广州市', receive_county: '天河区' },
};

const fieldsFor = (known: Partial<Known>): Partial<ParcelFields> => ({
  ...(known.to && places[known.to]),
  ...(known.weight !== undefined && { weight: known.weight }),
  ...(known.length !== undefined && { length: known.length }),
  ...(known.width !== undefined && { width: known.width }),
  ...(known.height !== undefined && { height: known.height }),
  ...(known.pieces !== undefined && { package_count: known.pieces }),
  ...(known.value !== undefined && { guarantee_value_amount: known.value }),
});

const insertSchemes = async (work: Work): Promise<Record<1 | 2 | 3, number>> => {
  const vouchers: [string, number][] = [];
  for (const [promise_id, { divisor, discount, northeast, zones }] of Object.entries(lists)) {
    const weight = jsonText({
      divisor,
      origins: [
        {
          provinces: [],
          zones: Object.values(zones).map(({ areas, first, brackets, minimum }) => ({
            name: '',
            areas,
            not_served: 0,
            first: { max_g: first.grams, price: first.price },
            brackets: brackets.map(({ upTo, step, price }) => ({
              up_to_g: upTo,
              step_g: step,
              price,
            })),
            minimum,
          })),
        },
      ],
    });
    const { rows } = await sql<{
      id: number;
    }>`insert into vouchers (name, provider, promise_id, discount, northeast_discount, weight)
      values (${`history ${promise_id}`}, 'jdl', ${promise_id}, ${discount}, ${northeast},
      ${weight}::jsonb) returning id`.execute(work.tx);
    const id = rows[0]!.id;
    await sql`insert into voucher_versions (voucher_id, no, valid_from, discount,
      northeast_discount, weight, published_at)
      values (${id}, 1, '2020-01-01', ${discount}, ${northeast}, ${weight}::jsonb,
      '2020-01-01')`.execute(work.tx);
    vouchers.push([promise_id, id]);
  }
  const made: [number, number][] = [];
  for (const way of [1, 2, 3]) {
    const { rows } = await sql<{ id: number }>`insert into projects (name, percent_type)
      values (${`history ${way}`}, ${way}) returning id`.execute(work.tx);
    for (const [promise_id, voucher] of vouchers)
      await sql`insert into project_vouchers (project_id, provider, promise_id, voucher_id)
        values (${rows[0]!.id}, 'jdl', ${promise_id}, ${voucher})`.execute(work.tx);
    made.push([way, rows[0]!.id]);
  }
  return Object.fromEntries(made) as Record<1 | 2 | 3, number>;
};

/**
 * Builds the data that all histories of a database share: goods, price lists, freight schemes and
 * the carrier's account. The clock is set to 2030, so that a job with a later time never becomes
 * due in real time.
 */
export const openWorld = async (app: App & { clock: Clock }): Promise<World> => {
  app.clock.set(new Date('2030-01-07T10:00:00+08:00'));
  const scripts = new Map<string, Script>();
  const carrier = scriptedCarrier(scripts);
  const desk: CarrierContext = { ...app, carrierOf: () => carrier };
  const { office } = await app.db.tx(all, (work) =>
    buildNetwork(app, work, new Date('2020-01-01T00:00:00Z')),
  );
  const projects = await app.db.tx(all, insertSchemes);
  // The limits are so high that no charge is held back. The reference ledger does not model limits
  // for a carrier's charges.
  await app.db.tx(all, (work) =>
    sql`insert into settings (name, value)
    values ('charge_weight_over', '1000000'), ('charge_least_amount', '100000')`.execute(work.tx),
  );
  return { app, desk, scripts, projects, clerk: office, orders: new Map(), repeat: null };
};

export const addStation = (world: World, station: Omit<Station, 'id'>): Promise<number> =>
  world.app.db.tx(all, async (work) => {
    const { rows } = await sql<{ id: number }>`
      insert into stations (name, parent_id, project_id, fixed_freeze, has_amount, discount,
        northeast_discount, enable_profit, profit, fixed_profit, allow_select)
      values (gen_random_uuid()::text, ${station.parent}, ${world.projects[station.way]},
        ${station.reserve}, ${station.checked ? 1 : 0}, ${station.discount},
        ${station.northeast},
        ${station.earns ? 1 : 0}, ${station.profit}, ${station.fixed}, 1)
          returning id`.execute(work.tx);
    const station_id = rows[0]!.id;
    const first = {
      station_id,
      amount: station.money,
      description: '',
      cause: `history station ${station_id}`,
      at: world.app.clock.now(),
      by: 1,
    };
    if (station.money > 0) await ledger.topUp(work, first);
    return station_id;
  });

let causes = 0;

const stationTerms = async (work: Work, id: number) =>
  (
    await sql<
      Parameters<typeof placeOrder>[2]['station']
    >`select id, name, status, money, "freeze", available, has_amount, allow_select,
      allow_print, project_id, customer_code
    from stations where id = ${id}`.execute(work.tx)
  ).rows[0]!;

const money = async (
  world: World,
  op: Op,
  work: Work,
  meta: { cause: string; at: Date; by: number },
): Promise<ledger.Outcome | number> => {
  switch (op.op) {
    case 'top_up':
      return ledger.topUp(work, {
        station_id: op.station,
        amount: op.amount,
        description: '',
        ...meta,
      });
    case 'adjust':
      return ledger.adjustment(work, {
        station_id: op.station,
        amount: op.amount,
        description: '',
        ...meta,
      });
    case 'request': {
      const input = {
        station_id: op.station,
        amount: op.amount,
        description: '',
        ...meta,
        by: op.by,
      };
      return op.type === 'withdrawal'
        ? ledger.requestWithdrawal(work, input)
        : ledger.requestAdjustment(work, input);
    }
    case 'decide': {
      const input = { statement_id: op.request, ...meta, by: op.by };
      return op.approve
        ? ledger.approve(work, input)
        : ledger.decline(work, { ...input, reason: 'no' });
    }
    case 'refund':
      return ledger.refund(work, {
        express_id: op.parcel,
        amount: op.amount,
        description: '',
        ...meta,
      });
    case 'payout':
      return ledger.payout(work, {
        express_id: op.parcel,
        amount: op.amount,
        limit_amount: 10_000_000_000,
        description: '',
        ...meta,
      });
    case 'reverse':
      return ledger.reverse(work, { express_id: op.parcel, reason: 'no', ...meta });
    default:
      throw new Error(`${op.op} is no movement of money alone`);
  }
};

const moneyAlone = new Set<Op['op']>([
  'top_up',
  'adjust',
  'request',
  'decide',
  'refund',
  'payout',
  'reverse',
]);

const moveMoney = async (world: World, op: Op): Promise<Seen> => {
  const meta = { cause: `history ${process.pid} ${++causes}`, at: world.app.clock.now(), by: 1 };
  const once = () => world.app.db.tx(all, (work) => money(world, op, work, meta));
  const outcome = await once();
  if (typeof outcome !== 'number' && !outcome.ok) return { refusal: 'available_too_low', id: 0 };
  world.repeat = async () => JSON.stringify(await once()) === JSON.stringify(outcome);
  return { refusal: null, id: typeof outcome === 'number' ? outcome : (outcome.statement_id ?? 0) };
};

const order = (world: World, op: Op & { op: 'order' }): Promise<Seen> =>
  world.app.db.tx(all, async (work) => {
    const fields = await checkedParcel(work, {
      ...(exampleOrder() as Partial<ParcelFields>),
      ...fieldsFor(op.known),
      promise_id: op.promise,
    });
    const station = await stationTerms(work, op.station);
    const express = await placeOrder(world.desk, work, {
      station,
      user_id: world.clerk,
      fields,
      expected_amount: undefined,
    });
    // The history may report events from before the order, so the parcel counts as sent a day
    // earlier.
    await sql`update expresses
      set first_sent_at = ${new Date(world.app.clock.now().getTime() - 86_400_000)}
      where id = ${express.id}`.execute(work.tx);
    world.orders.set(express.id, express.order_id);
    const measures = { weight: null, volume: null, fee: null, back: 0 };
    world.scripts.set(express.order_id, {
      answers: op.answers,
      sent: 0,
      measures,
      cancel: '',
      edits: [],
    });
    return { refusal: null, id: express.id };
  });

const edit = async (
  world: World,
  op: Op & { op: 'edit' },
  work: Work,
  script: Script,
): Promise<void> => {
  const express = await lockExpress(work, op.parcel);
  const changes = fieldsFor(op.changes);
  if (express.state_code === 100) {
    const { edit_id } = await editSent(world.desk, work, express, {
      input: changes,
      allow_select: 1,
      by: world.clerk,
    });
    if (edit_id !== null) script.edits = [op.answer];
    return;
  }
  if (express.state_code !== 10 && express.state_code !== 90)
    throw new Failure('state_forbids', {}, {});
  const fields = await checkedParcel(work, { ...fieldsOf(express), ...changes });
  const station = await stationTerms(work, express.station_id);
  if (express.state_code === 10)
    await repriceAndSubmit(world.desk, work, express, {
      station,
      fields,
      by: world.clerk,
      cause: 'edit',
    });
  else await reprice(world.desk, work, express, { station, fields, by: world.clerk });
};

const again = async (world: World, id: number, work: Work): Promise<void> => {
  const express = await lockExpress(work, id);
  if (express.state_code !== 10 && express.state_code !== 90)
    throw new Failure('state_forbids', {}, {});
  const fields =
    express.state_code === 10 ? fieldsOf(express) : await checkedParcel(work, fieldsOf(express));
  await resubmit(world.desk, work, express, {
    station: await stationTerms(work, express.station_id),
    fields,
    by: world.clerk,
  });
};

const ofParcel = async (world: World, op: Op & { parcel: number }, work: Work): Promise<void> => {
  const order_id = world.orders.get(op.parcel)!;
  const script = world.scripts.get(order_id)!;
  switch (op.op) {
    case 'edit':
      return edit(world, op, work, script);
    case 'again':
      return again(world, op.parcel, work);
    case 'reweigh': {
      const from = {
        source: 'station' as const,
        at: world.app.clock.now(),
        account_id: world.clerk,
        reason: 'weighed',
      };
      await reweigh(work, await lockExpress(work, op.parcel), op.grams, from);
      return;
    }
    case 'tell': {
      const messages = op.reports.map((reports) => messageOf(order_id, reports));
      await applyMessages(world.desk, work, op.parcel, { source: 'trace', messages });
      return;
    }
    case 'cancel': {
      const express = await lockExpress(work, op.parcel);
      if (!express.cancel_requested_at) script.cancel = op.result;
      await cancelExpress(world.desk, work, express, { reason: 'no', by: world.clerk });
      return;
    }
    case 'measure':
      script.measures = op.measures;
      return;
    default:
      throw new Error(`${op.op} is no deed of its own`);
  }
};

/**
 * Changes a station as the office does. If the station may now be able to pay for parcels on hold,
 * it queues the same job as the endpoint.
 */
const change = async (
  world: World,
  op: Op & { op: 'terms' | 'reserve' },
  work: Work,
): Promise<void> => {
  if (op.op === 'terms') {
    const { discount, northeast, earns, profit, fixed } = op.rates;
    await sql`update stations set discount = ${discount}, northeast_discount = ${northeast},
      enable_profit = ${earns ? 1 : 0}, profit = ${profit}, fixed_profit = ${fixed}
      where id = ${op.station}`.execute(work.tx);
    return;
  }
  await sql`update stations set fixed_freeze = ${op.reserve},
    has_amount = ${op.checked ? 1 : 0} where id = ${op.station}`.execute(work.tx);
  await queueRelease(work, op.station);
};

/**
 * The error codes of refusals that concern money. A history does not distinguish the other
 * refusals.
 */
const ofMoney = new Set([
  'balance_too_low',
  'available_too_low',
  'parcel_not_charged',
  'parcel_reversed',
  'refund_too_large',
  'statement_not_pending',
  'second_person_required',
]);

/**
 * Executes one operation immediately, while no other operation runs. If the operation is refused,
 * returns the refusal as its result.
 */
export const act = async (world: World, op: Op): Promise<Seen> => {
  try {
    if (moneyAlone.has(op.op)) return await moveMoney(world, op);
    if (op.op === 'order') return await order(world, op);
    if (op.op === 'seek')
      await sendOrder(
        world.desk,
        { express_id: op.parcel, attempt: await attemptOf(world, op.parcel) },
        { job_id: '1', attempt: 2 },
      );
    else if (op.op === 'days') world.app.clock.advance(73 * 3_600_000);
    else if (op.op === 'terms' || op.op === 'reserve')
      await world.app.db.tx(all, (work) => change(world, op, work));
    else if ('parcel' in op) await world.app.db.tx(all, (work) => ofParcel(world, op, work));
    return { refusal: null, id: 0 };
  } catch (error) {
    if (error instanceof Failure)
      return { refusal: ofMoney.has(error.code) ? error.code : turnedAway, id: 0 };
    throw error;
  }
};

const attemptOf = (world: World, id: number): Promise<number> =>
  world.app.db.tx(
    all,
    async (work) =>
      (
        await sql<{ attempt: number }>`select attempt
    from expresses where id = ${id}`.execute(work.tx)
      ).rows[0]!.attempt,
  );

interface Job {
  task: string;
  payload: object;
}

const due = async (world: World): Promise<Job[]> =>
  world.app.db.tx(
    all,
    async (work) =>
      (
        await sql<Job>`with gone as (delete from graphile_worker._private_jobs
          where run_at <= now() returning id, task_id, payload)
      select t.identifier as task, g.payload from gone g
        join graphile_worker._private_tasks t on t.id = g.task_id
      order by t.identifier = 'release_on_hold', g.id`.execute(work.tx)
      ).rows,
  );

const handlers = [...expressTasks, sendOrderTask.runs(sendOrder)];

/** Requests the state of `parcels` from the carrier. Then runs due jobs until no job is due. */
export const settleWorld = async (world: World, parcels: readonly number[]): Promise<void> => {
  for (const express_id of parcels) await askFacts(world.desk, { express_id });
  for (let jobs = await due(world); jobs.length > 0; jobs = await due(world))
    for (const { task, payload } of jobs)
      await runHandler(handlers, task, { ...world.app, ...world.desk }, payload);
};
