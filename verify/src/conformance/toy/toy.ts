import { createHash, randomUUID } from 'node:crypto';
import { stateCode } from '@waystation/contract/parcels/express-states.ts';
import { yuanToFen } from '@waystation/contract/money/money.ts';
import type {
  Accepted,
  ActualFee,
  Answered,
  CallRecord,
  Carrier,
  CarrierAccount,
  CarrierMessage,
  CarrierOrder,
  Coverage,
  CreateAnswer,
  LabelData,
  Wire,
} from '@waystation/server/testing/carrier-kit.ts';
import { redact, wordsWithoutSecrets } from '@waystation/server/testing/carrier-kit.ts';
import type { Defect } from './defects.ts';

type Fields = Readonly<Record<string, unknown>>;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const fieldsOf = (text: string): Fields | null => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Fields) : null;
  } catch {
    return null;
  }
};

const meanings = {
  accepted: { effect: 'ordered', our_state: stateCode.awaitingPickup, rank: 10 },
  collected: { effect: 'picked_up', our_state: stateCode.pickedUp, rank: 30 },
  cancelled: { effect: 'cancelled', our_state: stateCode.cancelled, rank: 90 },
} as const;

interface Toy {
  wire: Wire;
  has(defect: Defect): boolean;
}

const messageOf = (toy: Toy, delivery_id: string, state: string, at: Date): CarrierMessage => {
  const meaning = Object.hasOwn(meanings, state) ? meanings[state as 'accepted'] : null;
  const facts = [delivery_id, state, at.toISOString()];
  if (toy.has('hash by chance')) facts.push(randomUUID());
  return {
    delivery_id,
    order_id: '',
    operation_time: at,
    rank: meaning?.rank ?? 99,
    hash: createHash('sha256').update(facts.join('\n')).digest('hex'),
    category: '',
    state,
    our_state: meaning?.our_state ?? null,
    effect: meaning?.effect ?? 'unlisted',
    title: state,
    remark: '',
    operator_name: '',
    place: '',
    return_delivery_id: null,
    cancel_reason: '',
    needs_facts: state === 'collected' && !toy.has('pickup without facts'),
    alert: null,
    raw: {},
  };
};

const messagesOf = (toy: Toy, data: Fields | null, most = 100) => {
  const rows = Array.isArray(data?.['route']) ? (data['route'] as unknown[]) : [];
  const messages: CarrierMessage[] = [];
  const unreadable: unknown[] = [];
  for (const row of rows.slice(0, most)) {
    const { waybill, state, at } = (row ?? {}) as Fields;
    const time = new Date(textOf(at));
    const isReadable = textOf(waybill) !== '' && !Number.isNaN(time.getTime());
    if (isReadable || toy.has('times unchecked'))
      messages.push(messageOf(toy, textOf(waybill), textOf(state), time));
    else unreadable.push(row);
  }
  return { messages, unreadable };
};

interface Sent {
  path: string;
  body: string;
}

const send = async <T>(
  toy: Toy,
  account: CarrierAccount,
  { path, body }: Sent,
  read: (data: Fields) => T | undefined,
): Promise<Answered<T>> => {
  const url = new URL(path, account.base_url);
  const post = () =>
    toy.wire.post({
      url,
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${account.access_token}`,
      },
      body,
      kind: path === '/orders' ? 'write' : 'read',
    });
  let answer = await post();
  if (toy.has('sends twice') && answer.got === 'nothing' && answer.sent) answer = await post();
  const isEchoed = toy.has('secrets in the record');
  const got = answer.got === 'answer' ? answer : null;
  const text =
    got === null || isEchoed ? (got?.body ?? '') : wordsWithoutSecrets(got.body, account);
  const call: CallRecord = {
    operation: path,
    trace_id: '',
    http_status: got?.http_status ?? 0,
    ms: answer.ms,
    request: redact(body, account),
    answer: isEchoed ? text : redact(text, account),
  };
  if (answer.got === 'nothing') {
    const isUnsent = toy.has('everything not sent') || !answer.sent;
    return {
      outcome: 'unknown',
      reason: answer.reason,
      ...(isUnsent && !toy.has('nothing not sent') && { not_sent: true }),
      call,
    };
  }
  const data = fieldsOf(text);
  const words = textOf(data?.['text']);
  if (answer.http_status === 401)
    return {
      outcome: 'gateway',
      kind: 'token',
      pause: !toy.has('expired token goes on'),
      code: '401',
      text: words,
      call,
    };
  const code = textOf(data?.['code']);
  if (answer.http_status !== 200 && toy.has('HTTP errors refuse'))
    return { outcome: 'refused', code: String(answer.http_status), text: '网关错误', call };
  if (answer.http_status === 200 && data?.['ok'] === false)
    return { outcome: 'refused', code, text: toy.has('codes as words') ? code : words, call };
  const value = answer.http_status === 200 && data?.['ok'] === true ? read(data) : undefined;
  return value === undefined
    ? { outcome: 'unknown', reason: { code: 'carrier_unreadable' }, call }
    : { outcome: 'ok', value, call };
};

const lacks = (operation: string) =>
  Promise.resolve({
    outcome: 'refused' as const,
    code: '',
    text: `${operation}: not offered`,
    call: { operation, trace_id: '', http_status: 0, ms: 0, request: null, answer: null },
  });

const emptyLabel: LabelData = {
  start_site_name: '',
  end_site_name: '',
  road: '012',
  source_sort_center_name: '示例分拣中心',
  source_cross_code: '1',
  source_trolley_code: 'A',
  target_sort_center_name: '样例分拣中心',
  target_cross_code: '2',
  target_trolley_code: 'B',
  aging_name: '',
  collection_address: '',
  distribute_code: '',
  cover_code: '',
  qrcode_url: '',
  pre_sort_code: '',
  truck_spot: '',
  main_product_code: '',
  hide_name: 1,
  hide_phone: 1,
  trans_type: null,
  own_numbers: 1,
};

const acceptedOf = (toy: Toy, data: Fields, call: CallRecord): Accepted => {
  const packages = (Array.isArray(data['packages']) ? data['packages'] : []).map(String);
  const delivery_id = textOf(data['waybill']);
  return {
    outcome: 'accepted',
    delivery_id,
    carrier_order_code: '',
    repeated: data['repeated'] === true,
    ...(packages.length > 0 && {
      package_ids: toy.has('packages share a number') ? packages.map(() => delivery_id) : packages,
    }),
    need_retry: 0,
    promise_time_type: toy.has('product not read') ? 'std' : textOf(data['product']),
    estimate_amount: null,
    pickup_promise_at: null,
    delivery_promise_at: null,
    pre_sort_result: null,
    print_data: { ...emptyLabel, end_site_name: textOf(data['site']) },
    call,
  };
};

const create = async (toy: Toy, account: CarrierAccount, sent: Sent): Promise<CreateAnswer> => {
  const answer = await send(toy, account, sent, (data) =>
    textOf(data['waybill']) === '' ? undefined : data,
  );
  return answer.outcome === 'ok' ? acceptedOf(toy, answer.value, answer.call) : answer;
};

const seek = async (toy: Toy, account: CarrierAccount, order_id: string) => {
  const path = toy.has('search orders') ? '/orders' : '/search';
  const answer = await create(toy, account, { path, body: JSON.stringify({ order_id }) });
  if (answer.outcome !== 'refused')
    return answer.outcome === 'unknown' && toy.has('silence means no order')
      ? { ...answer, outcome: 'not_stored' as const, code: '', text: '' }
      : answer;
  const { code, text, call } = answer;
  return code === 'NONE' || toy.has('silence means no order')
    ? { outcome: 'not_stored' as const, code, text, call }
    : { outcome: 'unknown' as const, reason: { code: 'carrier_refused', params: { text } }, call };
};

const feeOf = (toy: Toy, data: Fields): ActualFee => {
  const fee: ActualFee = {
    jd_amount: 0,
    estimate_amount: null,
    jd_cal_weight: null,
    fees: [],
    unreadable: [],
  };
  for (const row of (Array.isArray(data['fees']) ? data['fees'] : []) as Fields[]) {
    const given = row['yuan'];
    const amount = toy.has('fees unchecked')
      ? Math.round(Number(given) * 100)
      : typeof given === 'string' || typeof given === 'number'
        ? yuanToFen(given)
        : null;
    if (amount === null || (amount < 0 && !toy.has('fees unchecked'))) {
      fee.unreadable.push(JSON.stringify(row).slice(0, 100));
      continue;
    }
    fee.jd_amount += toy.has('yuan as fen') ? amount / 100 : amount;
    fee.fees.push({ code: 'F1', name: '运费', kind: 'freight', service: 'carriage', amount });
  }
  return fee;
};

const longestGoods = 100;

const problemsOf = (order: CarrierOrder) => {
  const short = (text: string, most: number): boolean => text !== '' && [...text].length <= most;
  const bounds: Record<string, boolean> = {
    order_id: short(order.order_id, 50),
    sender_name: short(order.sender_name, 50),
    receive_name: short(order.receive_name, 50),
    receive_phone: /^1\d{10}$/.test(order.receive_phone),
    receive_address: short(order.receive_address, 200),
    goods: short(order.goods, longestGoods),
    remark: [...order.remark].length <= 200,
    thr_order_id: [...order.thr_order_id].length <= 50,
    package_count: order.package_count >= 1 && order.package_count <= 99,
    weight: order.weight >= 1 && order.weight <= 50_000,
    promise_id: order.promise_id !== '',
  };
  return Object.fromEntries(
    Object.entries(bounds)
      .filter(([, fits]) => !fits)
      .map(([field]) => [field, { code: 'invalid' }]),
  );
};

const bodyOf = (toy: Toy, order: CarrierOrder): string => {
  const problems = problemsOf(order);
  if (Object.keys(problems).length > 0 && !toy.has('limits not enforced'))
    throw new Error(JSON.stringify(problems));
  const extra = toy.has('bytes by chance') ? { sent: randomUUID() } : {};
  const { pickup_from, pickup_until, ...rest } = order;
  const window = pickup_from && !toy.has('window left out') ? { pickup_from, pickup_until } : {};
  return JSON.stringify({ ...rest, ...window, ...extra });
};

const coverageOf = (data: Fields): Coverage => ({
  served: true,
  start_station_name: '',
  end_station_name: '',
  products: [],
  pickup_windows: (Array.isArray(data['windows']) ? (data['windows'] as unknown[]) : []).flatMap(
    (row) => {
      const { from, until } = (row ?? {}) as Fields;
      const [starts_at, ends_at] = [new Date(textOf(from)), new Date(textOf(until))];
      return starts_at < ends_at ? [{ starts_at, ends_at }] : [];
    },
  ),
  estimate: null,
});

/** Returns an adapter for the toy carrier. The adapter has at most one planted defect. */
export const toyAdapter =
  (recovers: 'repeat' | 'seek', defect: Defect | null = null) =>
  ({ wire }: { wire: Wire }): Carrier => {
    const toy: Toy = { wire, has: (one) => one === defect };
    const ask =
      <T>(path: string, read: (data: Fields) => T) =>
      (account: CarrierAccount, { delivery_id }: { delivery_id: string }) =>
        send(toy, account, { path, body: JSON.stringify({ delivery_id }) }, read);
    return {
      provider: 'jdl',
      ...(recovers === 'repeat'
        ? { recovers_by: 'repeat' as const }
        : {
            recovers_by: 'seek_by_our_number' as const,
            not_found: 'create' as const,
            seek: (account, { order_id }) => seek(toy, account, order_id),
          }),
      offers_windows: true,
      problemsOf,
      precheck: (account) => send(toy, account, { path: '/windows', body: '{}' }, coverageOf),
      refusedCoverage: () => 'refused',
      prefetch: () => lacks('prefetch'),
      createBody: (_account, order) => bodyOf(toy, order),
      create: (account, body) => create(toy, account, { path: '/orders', body }),
      modifyBody: () => null,
      modify: () => lacks('modify'),
      cancel: ask('/cancel', () => ({ result: 'cancelled' as const, text: '' })),
      labelTemplate: () => null,
      labels: () => lacks('labels'),
      messageOfCancel: ({ delivery_id }, { result }, at) => messageOf(toy, delivery_id, result, at),
      trace: ask('/trace', (data) => messagesOf(toy, data)),
      details: ask('/weight', ({ kg }) => ({
        jd_weight: typeof kg === 'number' && kg > 0 && kg < 1e6 ? Math.round(kg * 1_000) : null,
        jd_volume: null,
        package_count: null,
        order_id: '',
        unreadable: typeof kg === 'number' && kg > 0 && kg < 1e6 ? [] : [`kg ${String(kg)}`],
      })),
      actualFee: ask('/fee', (data) => feeOf(toy, data)),
      subscribe: () => lacks('subscribe'),
      test: (account) => send(toy, account, { path: '/test', body: '{}' }, () => null),
      parsePush: (body) => {
        if (toy.has('pushes throw')) JSON.parse(body);
        const read = messagesOf(toy, fieldsOf(body), toy.has('first of a push') ? 1 : 100);
        return read.messages.length > 0
          ? { outcome: 'ok', ...read }
          : { outcome: 'unreadable', reason: { code: 'carrier_push_unreadable' } };
      },
      pushAnswer: (taken) => ({ ok: taken || toy.has('failed pushes taken') }),
    };
  };
