import { firstOf, lastOf, present } from '@waystation/contract/base/present.ts';
import type { Offer } from '#domain/offers/offers.ts';
import type { ParcelFields } from '#domain/express/express-reads.ts';
import type { Chance } from './chance.ts';
import { journeyOf } from './journey.ts';
import type { Fate, Node } from './journey.ts';
import type { DemoStation } from './network.ts';
import { destinations, exampleGoods, exampleNames } from './places.ts';

/**
 * A parcel from the demo's past: who ordered it and when, its content, its measured weight, and how
 * it ended.
 */
export interface PlannedParcel {
  station: DemoStation;
  user_id: number;
  created_at: Date;
  fields: ParcelFields;
  offer: Offer;
  fate: Fate;
  nodes: Node[];
  /** True if every node is in the past. */
  over: boolean;
  jd_weight: number;
  jd_amount: number;
  /**
   * The weight of a second weighing some hours after the first, in grams; null if there is none.
   */
  corrected_weight: number | null;
  printed: boolean;
}

const day = 86_400_000;
/** Midnight in Shanghai, in milliseconds after midnight in UTC. */
const midnight = 16 * 3_600_000;

/** A time in the last days and before now, mostly in the daytime. */
const moment = (chance: Chance, now: Date, days: number): Date => {
  const today = Math.floor((now.getTime() - midnight) / day) * day + midnight;
  for (;;) {
    const minutes = chance.hits(0.08) ? chance.whole(0, 8 * 60) : chance.whole(8 * 60, 20 * 60);
    const at =
      today - Math.floor(chance.next() * days) * day + minutes * 60_000 + chance.whole(0, 59_999);
    if (at < now.getTime() - 60_000) return new Date(at);
  }
};

/** The number of last days in which each station has the share `lately` of the parcels. */
const lateDays = 30;

const stationOf = (
  chance: Chance,
  stations: readonly DemoStation[],
  isLate: boolean,
): DemoStation => {
  const shareOf = (station: DemoStation): number => (isLate ? station.lately : station.share);
  let left = chance.whole(0, stations.reduce((sum, one) => sum + shareOf(one), 0) - 1);
  return stations.find((one) => (left -= shareOf(one)) < 0)!;
};

const fieldsOf = (
  chance: Chance,
  station: DemoStation,
  promise_id: string,
  serial: number,
): ParcelFields => {
  const [province, city, county, address] = station.place;
  const [toProvince, toCity, toCounty] = chance.pick(destinations);
  const goods = chance.pick(exampleGoods);
  const sized = chance.hits(0.25);
  return {
    sender_id: null,
    receive_id: null,
    pickup_from: null,
    pickup_until: null,
    thr_order_id: chance.hits(0.15) ? `EX-${String(serial).padStart(6, '0')}` : '',
    sender_name: station.sender_name,
    sender_phone: station.sender_phone,
    sender_province: province,
    sender_city: city,
    sender_county: county,
    sender_address: address,
    receive_name: chance.pick(exampleNames),
    receive_phone: `1390000${String(chance.whole(0, 9_999)).padStart(4, '0')}`,
    receive_province: toProvince,
    receive_city: toCity,
    receive_county: toCounty,
    receive_address: `示例街${chance.whole(1, 300)}号${chance.whole(1, 20)}栋${chance.whole(101, 2_204)}`,
    package_count: chance.hits(0.04) ? chance.whole(2, 4) : 1,
    guarantee_value_amount: chance.hits(0.12)
      ? chance.pick([50_000, 100_000, 200_000, 500_000])
      : 0,
    trans_type: 1,
    goods_type: goods.type,
    goods: goods.name,
    promise_id,
    remark: chance.hits(0.1) ? '示例备注：轻放' : '',
    description: '',
    weight: Math.ceil(chance.whole(firstOf(goods.weight), goods.weight[1]!) / 100) * 100,
    length: sized ? chance.whole(15, 45) : 0,
    width: sized ? chance.whole(10, 40) : 0,
    height: sized ? chance.whole(5, 30) : 0,
  };
};

const fateOf = (chance: Chance): Fate => {
  const drawn = chance.next();
  return drawn < 0.004
    ? 'failed'
    : drawn < 0.03
      ? 'cancelled'
      : drawn < 0.045
        ? 'returned'
        : 'signed';
};

/**
 * The weight that the carrier measures, in whole 10 g: mostly about the declared weight, sometimes
 * more.
 */
const weighed = (chance: Chance, declared: number): number =>
  Math.max(
    10,
    Math.round(
      (declared * (chance.hits(0.7) ? chance.whole(950, 1_000) : chance.whole(1_000, 1_300))) /
        10_000,
    ) * 10,
  );

/** Plans all past parcels of the network, oldest first. */
export const planParcels = (
  chance: Chance,
  stations: readonly DemoStation[],
  offers: ReadonlyMap<number, readonly Offer[]>,
  { count, now, days }: { count: number; now: Date; days: number },
): PlannedParcel[] => {
  const moments = Array.from({ length: count }, () => moment(chance, now, days)).toSorted(
    (a, b) => a.getTime() - b.getTime(),
  );
  return moments.map((created_at, index) => {
    const isLate = created_at.getTime() > now.getTime() - lateDays * day;
    const station = stationOf(chance, stations, isLate);
    const drawn = chance.next();
    const offered = present(offers.get(station.id));
    const offer = offered[drawn < 0.7 ? 0 : drawn < 0.85 ? 1 : 2] ?? firstOf(offered);
    const fields = fieldsOf(chance, station, offer.promise_id, index + 1);
    const fate = fateOf(chance);
    const nodes = journeyOf(chance, fate, new Date(created_at.getTime() + 2_000));
    const jd_weight = weighed(chance, fields.weight);
    return {
      station,
      // Most parcels of the demo's station belong to its first clerk, because users log in with
      // that account.
      user_id:
        station.clerks.length > 1 && chance.hits(0.7)
          ? firstOf(station.clerks)
          : lastOf(station.clerks),
      created_at,
      fields,
      offer,
      fate,
      nodes,
      over: fate === 'failed' || lastOf(nodes).at.getTime() < now.getTime() - 3_600_000,
      jd_weight,
      jd_amount: 600 + Math.ceil(jd_weight / 1_000) * 110,
      corrected_weight: chance.hits(0.03)
        ? Math.ceil((jd_weight * chance.whole(1_050, 1_400)) / 10_000) * 10
        : null,
      printed: fate !== 'failed' && chance.hits(0.93),
    };
  });
};
