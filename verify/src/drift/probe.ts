import { operations } from '#conformance/operations.ts';
import type { Kit } from '#conformance/kit.ts';
import type { LineCall } from '#conformance/line.ts';
import { driftOf, shapeOf } from './shape.ts';
import type { Drift, Shape } from './shape.ts';

/** The shapes of an adapter's answers. Each key consists of operation, outcome and call. */
export type Shapes = Readonly<Record<string, Shape>>;

export interface Answer {
  key: string;
  text: string;
}

interface Parcel {
  order: ReturnType<Kit['order']>;
  delivery_id: string;
}

/**
 * The name of a call. If a carrier has one URL for all services, the name is the value of a field,
 * because simultaneous calls may arrive in any order. If no field contains a name, the index of the
 * call is used. It is counted from the last call.
 */
const callName = ({ texts }: LineCall, place: number): string =>
  /(?:^|&)serviceCode=(\w+)/.exec(texts[0])?.[1] ?? String(place);

const answersOf = async (kit: Kit, name: string, parcel: Parcel): Promise<Answer[]> => {
  const { result, calls } = await kit.line.during(
    () => null,
    async () => operations[name]!(kit.carrier, kit.account, parcel),
  );
  if (result === null) return [];
  return calls.flatMap((call, at) =>
    call.answer === null
      ? []
      : [
          {
            key: `${name} ${result.outcome} ${callName(call, calls.length - at)}`,
            text: call.answer,
          },
        ],
  );
};

/**
 * Remarks that give the parcels of the simulator different courses. Other carriers treat them as
 * ordinary remarks.
 */
const lives = ['', '称重一致', '拒收', '退回', '再投', '放丰巢', '派送不成功'];

const later = ['trace', 'details', 'actualFee'];

/**
 * Makes the carrier calls of one day: every operation for two new orders, and questions about the
 * parcels of earlier days. The parcels are stored in `parcels`.
 */
export const probe = async (kit: Kit, parcels: Parcel[], day: number): Promise<Answer[]> => {
  const answers: Answer[] = [];
  for (const parcel of parcels.slice(-14))
    for (const name of later) answers.push(...(await answersOf(kit, name, parcel)));
  for (const isCancelled of [true, false]) {
    const several = day % 2 === 0 ? { package_count: 2, weight: 6_500 } : {};
    const order = kit.order({
      ...several,
      remark: isCancelled ? '' : lives[day % lives.length]!,
      guarantee_value_amount: day % 3 === 0 ? 50_000 : 0,
    });
    const created = await answersOf(kit, 'create', { order, delivery_id: '' });
    answers.push(...created);
    const again = await kit.carrier.create(kit.account, kit.bodyOf(order));
    if (again.outcome !== 'accepted') continue;
    const parcel = { order, delivery_id: again.delivery_id };
    for (const name of Object.keys(operations))
      if (name !== 'create' && (name !== 'cancel' || isCancelled))
        answers.push(...(await answersOf(kit, name, parcel)));
    if (!isCancelled) parcels.push(parcel);
  }
  return answers;
};

export const shapesOf = (answers: readonly Answer[]): Shapes =>
  Object.fromEntries(
    [...Map.groupBy(answers, ({ key }) => key)]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, rows]) => [key, shapeOf(rows.map(({ text }) => text))]),
  );

export type KeyedDrift = Drift & { key: string };

/** Lists the drifts in the answers. An answer without a recorded shape is not compared. */
export const driftsOf = (shapes: Shapes, answers: readonly Answer[]): KeyedDrift[] => {
  const found = new Map<string, KeyedDrift>();
  for (const { key, text } of answers)
    for (const drift of shapes[key] ? driftOf(shapes[key], text) : [])
      found.set(`${key} ${drift.kind} ${drift.path}`, { key, ...drift });
  return [...found.values()];
};
