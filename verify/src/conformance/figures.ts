import { settings } from '@waystation/contract/shell/settings.ts';
import { chargeDoubts } from '@waystation/server/testing/carrier-kit.ts';
import type {
  ActualFee,
  Answered,
  CarrierOrder,
  Measured,
} from '@waystation/server/testing/carrier-kit.ts';
import { figuresIn, withFigure } from './json-leaves.ts';
import { noSwitch } from './promise.ts';
import type { CarrierPromise, Judge } from './promise.ts';

const reported = { weight: 1_400, amount: 1_234 };

const units: CarrierPromise = {
  name: 'a weight is grams and a fee is fen',
  run: async (kit, judge) => {
    if (kit.switches === null) return noSwitch;
    const { answer } = await kit.accepted();
    await kit.switches.pickUp(answer.delivery_id);
    await kit.switches.facts(answer.delivery_id, reported);
    const details = await kit.carrier.details(kit.account, answer);
    const fee = await kit.carrier.actualFee(kit.account, answer);
    if (details.outcome === 'ok')
      judge(
        details.value.jd_weight === reported.weight,
        `the scale showed ${reported.weight} g, the adapter reads ${details.value.jd_weight}`,
      );
    else judge(false, `details: ${details.outcome}`);
    if (fee.outcome === 'ok')
      judge(
        fee.value.jd_amount === reported.amount,
        `${reported.amount} fen were charged, the adapter reads ${fee.value.jd_amount}`,
      );
    else judge(false, `actualFee: ${fee.outcome}`);
    return { seen: `${reported.weight} g, ${reported.amount} fen` };
  },
};

/** Returns every number in a value, with its path. */
const numbersIn = (value: unknown, path = ''): [string, number][] => {
  if (typeof value === 'number') return [[path, value]];
  if (typeof value !== 'object' || value === null || value instanceof Date) return [];
  return Object.entries(value).flatMap(([name, item]) => numbersIn(item, `${path}.${name}`));
};

const limits = {
  charge_weight_times: settings.charge_weight_times.default,
  charge_weight_over: settings.charge_weight_over.default,
  charge_price_times: settings.charge_price_times.default,
  charge_surcharge_times: settings.charge_surcharge_times.default,
  charge_cost_times: settings.charge_cost_times.default,
  charge_least_amount: settings.charge_least_amount.default,
  known_codes: new Set<string>(),
};

/** Returns the doubts that the product would have about a fee with its default settings. */
const doubtsOf = (order: CarrierOrder, fee: ActualFee, weight: number | null) =>
  chargeDoubts(
    {
      declared: { weight: order.weight, volumetric: 0 },
      estimate_amount: reported.amount,
      insured: order.guarantee_value_amount > 0,
      jd_weight: weight,
      volumetric: null,
      jd_cal_weight: fee.jd_cal_weight,
      price_amount: null,
      surcharge_amount: fee.fees
        .filter(({ kind }) => kind === 'surcharge')
        .reduce((sum, { amount }) => sum + amount, 0),
      cost: { amount: fee.jd_amount, price_amount: reported.amount },
      fees: fee.fees,
      unreadable: fee.unreadable,
    },
    limits,
  );

const nonsense: readonly ((figure: string | number) => unknown)[] = [
  (figure) => -Number(figure) - 5,
  () => 1e300,
  () => '1e400',
  () => 'heavy',
  () => [4, 5],
  () => 99_999_999_999_999,
];

const noFee: ActualFee = {
  jd_amount: 0,
  estimate_amount: null,
  jd_cal_weight: null,
  fees: [],
  unreadable: [],
};

/**
 * Judges one changed answer. Its numbers must be whole and not negative, and the product must doubt
 * numbers that are too high.
 */
const judgeFigures = (
  judge: Judge,
  order: CarrierOrder,
  what: string,
  read: ActualFee | Measured,
): void => {
  const wrong = numbersIn(read).filter(([, number]) => !Number.isSafeInteger(number) || number < 0);
  judge(wrong.length === 0, `${what}: ${JSON.stringify(wrong)}`);
  const weight = 'jd_weight' in read ? read.jd_weight : null;
  const fee = 'jd_amount' in read ? read : noFee;
  if (fee.jd_amount <= reported.amount * 100 && (weight ?? 0) <= order.weight * 100) return;
  judge(
    doubtsOf(order, fee, weight).length > 0,
    `${what}: ${JSON.stringify(read).slice(0, 200)} would be charged`,
  );
};

const mostFigures = 60;

const ceilings: CarrierPromise = {
  name: 'a figure above the ceilings, negative or unreadable is an exception, never a charge',
  run: async (kit, judge) => {
    if (kit.switches === null) return noSwitch;
    const { order, answer } = await kit.accepted();
    await kit.switches.pickUp(answer.delivery_id);
    await kit.switches.facts(answer.delivery_id, reported);
    let tried = 0;
    for (const operation of ['details', 'actualFee'] as const) {
      const ask = (): Promise<Answered<ActualFee | Measured>> =>
        kit.carrier[operation](kit.account, answer);
      const { calls } = await kit.line.during(() => null, ask);
      const count = Math.min(figuresIn(calls.at(-1)?.answer ?? ''), mostFigures);
      for (let at = 0; at < count; at += 1)
        for (const change of nonsense) {
          const { result } = await kit.line.during(
            () => ({ does: 'alter', alter: (text) => withFigure(text, at, change) }),
            ask,
          );
          tried += 1;
          if (result.outcome === 'ok')
            judgeFigures(judge, order, `${operation}, figure ${at}`, result.value);
        }
    }
    judge(tried > 0, 'no figure was found');
    return { seen: `${tried} altered figures` };
  },
};

export const figures = [units, ceilings];
