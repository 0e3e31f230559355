/**
 * A carrier in the same process, which answers as the script of a history defines. Calls over HTTP
 * would only take time, because the tests of the simulator already cover HTTP.
 */
import type {
  CallRecord,
  Carrier,
  CarrierMessage,
  CarrierOrder,
} from '#domain/carriers/carriers.ts';
import type { Effect, Measures, OrderAnswer, Report } from './operations.ts';

const call: CallRecord = {
  operation: 'scripted',
  trace_id: '',
  http_status: 200,
  ms: 0,
  request: null,
  answer: null,
};
const silent = { outcome: 'unknown' as const, reason: { code: 'carrier_silent' }, call };
const refused = { outcome: 'refused' as const, code: '1', text: 'no', call };

/**
 * The planned answers of the carrier for one order. They are stored under the order number, from
 * which the waybill number is also derived.
 */
export interface Script {
  answers: OrderAnswer[];
  sent: number;
  measures: Measures;
  cancel: string;
  edits: ('ok' | 'refused')[];
}

export const waybillOf = (order_id: string): string => `JD${order_id}`;
export const backOf = (order_id: string): string => `BACK${order_id}`;
const orderOf = (waybill: string): string => waybill.replace(/^(JD|BACK)/, '');

const ranks: Record<Effect, number> = {
  picked_up: 2,
  in_transit: 3,
  delivering: 4,
  signed: 8,
  rejected: 6,
  returning: 7,
  cancelled: 9,
  intercepting: 5,
  cancel_failed: 5,
};

/** Converts a report of the script to a message in the carrier's form. */
export const messageOf = (order_id: string, { key, at, effect, back }: Report): CarrierMessage => ({
  delivery_id: waybillOf(order_id),
  order_id,
  operation_time: new Date(at),
  rank: ranks[effect],
  hash: Buffer.from(`${order_id} ${key}`.padEnd(32).slice(0, 64)).toString('hex'),
  category: '',
  state: effect,
  our_state: null,
  effect,
  title: '',
  remark: '',
  operator_name: '',
  place: '',
  return_delivery_id: back,
  cancel_reason: '',
  needs_facts: false,
  alert: null,
  raw: {},
});

const effects: Record<string, Effect> = {
  cancelled: 'cancelled',
  intercepted: 'returning',
  intercepting: 'intercepting',
  cancel_failed: 'cancel_failed',
  intercept_failed: 'cancel_failed',
};

const idOf = (body: string): string => (JSON.parse(body) as { order_id: string }).order_id;

/** Throws, because no history calls this operation. */
const never = (): never => {
  throw new Error('no history asks the carrier this');
};

export const scriptedCarrier = (scripts: Map<string, Script>): Carrier => {
  const of = (order_id: string): Script => scripts.get(order_id)!;
  const accepted = (order_id: string, repeated: boolean) => ({
    outcome: 'accepted' as const,
    delivery_id: waybillOf(order_id),
    carrier_order_code: '',
    repeated,
    need_retry: 0 as const,
    promise_time_type: '',
    estimate_amount: null,
    pickup_promise_at: null,
    delivery_promise_at: null,
    pre_sort_result: null,
    print_data: {} as never,
    call,
  });
  const concerns = ({ receive_province, guarantee_value_amount, package_count }: CarrierOrder) => [
    receive_province,
    guarantee_value_amount,
    package_count,
  ];
  const unanswered = new Set<string>();
  return {
    provider: 'jdl',
    recovers_by: 'repeat',
    offers_windows: false,
    problemsOf: () => ({}),
    precheck: never,
    refusedCoverage: never,
    prefetch: never,
    trace: never,
    subscribe: never,
    labelTemplate: never,
    labels: never,
    test: never,
    parsePush: never,
    pushAnswer: never,
    createBody: (_account, { order_id }) => JSON.stringify({ order_id }),
    create: async (_account, body) => {
      const script = of(idOf(body));
      const order_id = idOf(body);
      // The carrier has stored the order although its answer was lost. A repeated order therefore
      // gets the waybill of that order.
      if (unanswered.delete(order_id)) return accepted(order_id, true);
      const answer = script.answers[script.sent++] ?? 'accepted';
      if (answer === 'unknown') unanswered.add(order_id);
      return answer === 'unknown'
        ? silent
        : answer === 'refused'
          ? refused
          : accepted(order_id, false);
    },
    modifyBody: (_account, { delivery_id }, before, after) =>
      JSON.stringify(concerns(before)) === JSON.stringify(concerns(after))
        ? null
        : JSON.stringify({ order_id: orderOf(delivery_id), to: concerns(after) }),
    modify: async (_account, body) =>
      of(idOf(body)).edits.shift() === 'refused' ? refused : { outcome: 'ok', value: null, call },
    cancel: async (_account, { delivery_id }) => ({
      outcome: 'ok',
      value: { result: of(orderOf(delivery_id)).cancel as 'cancelled', text: '' },
      call,
    }),
    messageOfCancel: ({ delivery_id }, { result }, at) =>
      messageOf(orderOf(delivery_id), {
        key: `cancel ${result} ${at.getTime()}`,
        at: at.getTime(),
        effect: effects[result]!,
        back: null,
      }),
    details: async (_account, { delivery_id }) => {
      const { weight, volume } = of(orderOf(delivery_id)).measures;
      return {
        outcome: 'ok',
        value: {
          jd_weight: weight,
          jd_volume: volume,
          package_count: null,
          order_id: '',
          unreadable: [],
        },
        call,
      };
    },
    actualFee: async (_account, { delivery_id }) => {
      const { fee, back } = of(orderOf(delivery_id)).measures;
      if (!fee) return refused;
      const none = { estimate_amount: null, jd_cal_weight: null };
      if (delivery_id.startsWith('BACK'))
        return {
          outcome: 'ok',
          value: { ...none, jd_amount: back, fees: [], unreadable: [] },
          call,
        };
      const fees = Object.entries(fee.surcharges).map(([code, amount]) => ({
        code,
        name: code,
        kind: 'surcharge' as const,
        service: 'packaging' as const,
        amount,
      }));
      return {
        outcome: 'ok',
        value: { ...none, jd_amount: fee.amount, fees, unreadable: [] },
        call,
      };
    },
  };
};
