import type { Express } from '@waystation/contract/parcels/express.ts';
import type { Statement } from '@waystation/contract/money/statement.ts';
import { sql, systemScope } from '@waystation/server/testing/product.ts';
import { exampleOrder } from '@waystation/server/testing/test-system.ts';
import type { Answer, TestSystem } from '@waystation/server/testing/test-system.ts';
import type { Chance } from '#chance.ts';
import { offerSf } from '@waystation/server/testing/sf-offer.ts';
import { sfSurcharge, simulatedCarriers } from '#simulated-carrier.ts';
import type { SimulatedCarrier, SimulatedName } from '#simulated-carrier.ts';
import { payers, places, promisesOf } from './plain-price.ts';
import type { PayerKey, PlainParcel, Scale } from './plain-price.ts';

/** The last step of a parcel at the carrier that the test knows about. */
export type Stage = 'asked' | 'ordered' | 'moving' | 'delivered' | 'cancelled';

export interface LoadParcel extends PlainParcel {
  key: string;
  id: number;
  declared: number;
  carrier: SimulatedCarrier;
  /** The parcel's waybill number; null until the carrier has the parcel. */
  waybill: string | null;
  stage: Stage;
  /** The newest weight and fees from the carrier; null before the pickup. */
  scale: Scale | null;
  corrections: number;
}

/**
 * A network of stations whose parcels are sent to the simulated carriers, and the writes that the
 * product acknowledged.
 */
export interface Load {
  carriers: readonly SimulatedCarrier[];
  parcels: LoadParcel[];
  /** The acknowledged top-ups of each station: a map from statement id to amount in fen. */
  topUps: Map<string, Map<number, number>>;
  acknowledged(): number;
  order(): Promise<LoadParcel>;
  /** Orders parcels at a station without money, so that they are put on hold. */
  orderWithoutMoney(count: number): Promise<LoadParcel[]>;
  topUp(payer: PayerKey, amount: number): Promise<void>;
  /** Makes the carrier pick up and weigh an ordered parcel. */
  pickUp(parcel: LoadParcel): Promise<void>;
  /**
   * Causes a random event for a parcel at the carrier: it is picked up, weighed again, charged
   * more, delivered, or cancelled.
   */
  move(parcel: LoadParcel): Promise<void>;
  /** The parcels to which something can still happen at the carrier. */
  movable(): LoadParcel[];
  /**
   * The time of the first successful call of any client since this field was last set to null. It
   * is in milliseconds of performance.now().
   */
  firstSuccess: number | null;
}

const mostCorrections = 3;
const poor: PayerKey = 'keji';
const rich: readonly PayerKey[] = ['south', 'nanshan', 'tianhe'];

interface Desk {
  system: TestSystem;
  chance: Chance;
  load: Load;
  partner: string;
  admin: string;
  count: number;
}

/**
 * Repeats a request with the same idempotency key until it is acknowledged. A careful client does
 * the same after a call without an answer.
 */
const insist = async <T>(
  desk: Desk,
  { token, key }: { token: string; key: string },
  path: string,
  body: unknown,
): Promise<T> => {
  const headers = { 'idempotency-key': key };
  for (const since = Date.now(); ;) {
    const answer: Answer<T> | null = await desk.system
      .call<T>({ token, headers }, 'POST', path, body)
      .catch(() => null);
    if (answer?.status === 200) {
      desk.load.firstSuccess ??= performance.now();
      return answer.data;
    }
    const again =
      answer === null || answer.status >= 500 || answer.status === 409 || answer.status === 429;
    if (!again || Date.now() - since > 60_000)
      throw new Error(`POST ${path}: ${answer?.status} ${JSON.stringify(answer?.data)}`);
    await new Promise((later) => setTimeout(later, 40));
  }
};

const place = async (desk: Desk, payer: PayerKey): Promise<LoadParcel> => {
  const { chance, system, load } = desk;
  const key = `load-${process.pid}-${++desk.count}`;
  const to = chance.pick(places);
  const carrier = chance.pick(load.carriers);
  const promise = chance.pick(promisesOf[carrier.provider]);
  const declared = chance.between(200, 14_000);
  const insured = chance.pick([0, 0, 60_000]);
  const body = exampleOrder({
    station_id: system.station(payer).id,
    thr_order_id: key,
    promise_id: promise,
    weight: declared,
    guarantee_value_amount: insured,
    receive_province: to.province,
    receive_city: to.city,
    receive_county: to.county,
  });
  const { id, delivery_id } = await insist<Express>(
    desk,
    { token: desk.partner, key },
    '/api/arco/expresses',
    body,
  );
  const parcel: LoadParcel = {
    key,
    id,
    payer,
    place: to,
    promise,
    insured,
    declared,
    carrier,
    waybill: delivery_id,
    stage: 'asked',
    scale: null,
    corrections: 0,
  };
  if (delivery_id !== null) parcel.stage = 'ordered';
  load.parcels.push(parcel);
  return parcel;
};

/** Returns a random weight in multiples of ten grams, because the carrier reports weights so. */
const weighed = ({ chance }: Desk, { carrier }: LoadParcel): Scale => ({
  weight: chance.between(10, 1_500) * 10,
  volume: carrier.measuresVolume ? chance.between(100, 90_000) : 0,
  surcharges: 0,
});

/** The waybill number of a parcel; throws if it has none. */
const waybillOf = ({ waybill, id }: LoadParcel): string => {
  if (waybill === null) throw new Error(`parcel ${id} has no waybill`);
  return waybill;
};

/**
 * Sets the values that the carrier measures and bills from now on. Surcharges are billed after
 * delivery.
 */
const show = async (parcel: LoadParcel, scale: Scale): Promise<void> => {
  await parcel.carrier.show(waybillOf(parcel), scale);
  parcel.scale = scale;
};

const pickUp = async (desk: Desk, parcel: LoadParcel): Promise<void> => {
  await show(parcel, weighed(desk, parcel));
  await parcel.carrier.pickUp(waybillOf(parcel));
  parcel.stage = 'moving';
};

const moveOn = async (desk: Desk, parcel: LoadParcel): Promise<void> => {
  const { chance } = desk;
  if (parcel.stage === 'ordered') {
    if (parcel.carrier.cancel && chance.below(12) === 0) {
      await parcel.carrier.cancel(waybillOf(parcel));
      parcel.stage = 'cancelled';
      return;
    }
    return pickUp(desk, parcel);
  }
  // The carrier may weigh the parcel again on its way or after delivery. After delivery, the
  // carrier's surcharges may also change.
  const delivered = parcel.stage === 'delivered';
  const surcharges = delivered || chance.below(2) === 0 ? chance.pick([0, 300, 500, 1_200]) : 0;
  if (!delivered && chance.below(2) === 0) {
    await show(parcel, {
      ...(chance.below(2) === 0 ? weighed(desk, parcel) : parcel.scale!),
      surcharges,
    });
    await parcel.carrier.deliver(waybillOf(parcel));
    parcel.stage = 'delivered';
    return;
  }
  parcel.corrections++;
  await show(parcel, { ...weighed(desk, parcel), surcharges: delivered ? surcharges : 0 });
  await parcel.carrier.report(waybillOf(parcel), delivered ? 'delivered' : 'picked_up');
};

/**
 * Offers a product of SF Express in the network, and makes the carrier send its pushes for this
 * account.
 */
const openSf = async ({ system, admin }: Desk): Promise<void> => {
  const merchant = await offerSf(system, admin);
  const { data } = await system.call<{ path: string }>(
    admin,
    'POST',
    `/api/arco/merchants/${merchant.id}/push-address`,
  );
  const { keys } = await system.carrier.control<{ keys: { partner_id: string }[] }>(
    'GET',
    'sf/keys',
  );
  await system.carrier.control('POST', 'sf/partner', {
    partner_id: keys[0]!.partner_id,
    callback_url: `${system.url}${data.path}`,
  });
  await system.carrier.control('POST', 'settings', { sf: { push_copies: 2 } });
};

/**
 * Logs in the users, fills the wallets, and configures the carriers' pushes: they arrive late,
 * twice and out of order.
 */
export const openLoad = async (
  system: TestSystem,
  chance: Chance,
  names: readonly SimulatedName[],
): Promise<Load> => {
  const desk: Desk = {
    system,
    chance,
    partner: await system.login('partner'),
    admin: await system.login('admin'),
    count: 0,
    load: null!,
  };
  const load: Load = {
    carriers: names.map((name) => simulatedCarriers[name](system.carrier)),
    parcels: [],
    topUps: new Map(),
    firstSuccess: null,
    acknowledged: () =>
      load.parcels.length + [...load.topUps.values()].reduce((sum, lines) => sum + lines.size, 0),
    order: () => place(desk, chance.pick(rich)),
    orderWithoutMoney: (count) =>
      Promise.all(Array.from({ length: count }, () => place(desk, poor))),
    topUp: async (payer, amount) => {
      const path = `/api/arco/stations/${system.station(payer).id}/top-ups`;
      const { id } = await insist<Statement>(
        desk,
        { token: desk.admin, key: `load-${process.pid}-${++desk.count}` },
        path,
        { amount },
      );
      load.topUps.set(payer, (load.topUps.get(payer) ?? new Map<number, number>()).set(id, amount));
    },
    pickUp: (parcel) => pickUp(desk, parcel),
    move: (parcel) => moveOn(desk, parcel),
    movable: () =>
      load.parcels.filter(
        ({ waybill, stage, corrections }) =>
          waybill !== null &&
          (stage === 'ordered' ||
            ((stage === 'moving' || stage === 'delivered') && corrections < mostCorrections)),
      ),
  };
  desk.load = load;
  // In this load one person tops up all wallets, and scales report many times the declared weight.
  // Without higher limits both would need a second person.
  await system.app.db.tx(systemScope('load'), (work) =>
    sql`insert into settings (name, value) values ('top_up_limit', '10000000000'),
      ('top_up_day_limit', '10000000000'),
      ('charge_weight_times', '100'), ('charge_price_times', '100'),
        ('charge_cost_times', '100'), ('charge_surcharge_times', '100'),
        ('known_fee_codes', ${JSON.stringify(sfSurcharge)})
        on conflict do nothing`.execute(work.tx),
  );
  for (const payer of Object.keys(payers) as PayerKey[])
    if (payer !== poor) await load.topUp(payer, 100_000_000);
  if (names.includes('sf')) await openSf(desk);
  await system.carrier.control('POST', 'settings', {
    push: {
      on: true,
      repeat_rate: 0.3,
      shuffle_rate: 0.3,
      hold_ms: 250,
      retry_first_ms: 60,
      retry_most_ms: 250,
      retry_times: 1_000,
      timeout_ms: 5_000,
    },
  });
  return load;
};
