import { changesPart } from '@waystation/contract/network/provider.ts';
import { carries, onlyCreates } from './kit.ts';
import type { Kit } from './kit.ts';
import { declaredOperations, operations } from './operations.ts';
import type { CarrierPromise } from './promise.ts';

const works = new Set(['ok', 'accepted', 'refused', 'stored_without_number', 'not_stored']);

/**
 * Every operation that the adapter declares returns a result. If the carrier lacks an operation,
 * the adapter makes no call for it and declares it absent.
 */
const capabilities: CarrierPromise = {
  name: 'a declared operation works, another one is declared absent',
  run: async (kit, judge) => {
    const { has, lacks, at } = await declaredOperations(kit);
    for (const name of has.toSorted((a, b) => Number(a === 'cancel') - Number(b === 'cancel'))) {
      const key = name === 'create' ? { ...at, order: kit.order() } : at;
      const answer = await operations[name]!(kit.carrier, kit.account, key);
      judge(
        answer !== null && works.has(answer.outcome),
        `${name} answers ${JSON.stringify(answer).slice(0, 200)}`,
      );
    }
    for (const name of lacks) {
      const answer = await operations[name]!(kit.carrier, kit.account, at);
      judge(
        answer === null || answer.outcome === 'refused',
        `${name} makes no call and answers ${answer?.outcome}`,
      );
    }
    return { seen: `${has.join(', ')}; absent: ${lacks.join(', ') || 'none'}` };
  },
};

const stored: CarrierPromise = {
  name: 'an order is sent once, as the bytes that were stored before',
  run: async (kit, judge) => {
    const order = kit.order();
    const body = kit.bodyOf(order);
    judge(kit.bodyOf(order) === body, 'createBody gives other bytes the second time');
    await new Promise((resolve) => setTimeout(resolve, 5));
    judge(
      kit.hasty.createBody(kit.account, structuredClone(order)) === body,
      'createBody of another process gives other bytes',
    );
    const { result, calls } = await kit.line.during(
      () => null,
      () => kit.carrier.create(kit.account, body),
    );
    judge(result.outcome === 'accepted', `the order is ${result.outcome}`);
    const sent = calls.filter((call) => carries(call, body)).length;
    judge(sent === 1, `the bytes were sent ${sent} times`);
    if (result.outcome === 'accepted') {
      judge(/^[A-Za-z0-9-]{4,30}$/.test(result.delivery_id), `waybill ${result.delivery_id}`);
      judge(!result.repeated, 'a first order is called a repeat');
    }
    return { seen: `${body.length} bytes, ${calls.length} call${calls.length === 1 ? '' : 's'}` };
  },
};

const confirmedProduct: CarrierPromise = {
  name: 'another product than the ordered one is reported',
  run: async (kit, judge) => {
    const { answer } = await kit.accepted();
    const { otherProduct } = kit.subject;
    judge(
      ['', kit.subject.product].includes(answer.promise_time_type),
      `ordered ${kit.subject.product}, confirmed ${answer.promise_time_type}`,
    );
    if (otherProduct === undefined || answer.promise_time_type === '')
      return { not_declared: 'the answer names no product' };
    const { ordered, confirmed, code } = otherProduct;
    const { result } = await kit.line.during(
      () => ({ does: 'alter', alter: (text) => text.replaceAll(ordered, confirmed) }),
      () => kit.carrier.create(kit.account, kit.bodyOf(kit.order())),
    );
    judge(
      result.outcome === 'accepted' && result.promise_time_type === code,
      `the carrier confirmed ${code}, the adapter reports ${JSON.stringify(result).slice(0, 300)}`,
    );
    return { seen: `${kit.subject.product}, then ${code}` };
  },
};

const pickupWindow: CarrierPromise = {
  name: 'a pickup window that the carrier offers is ordered, and changed where it declares so',
  run: async (kit, judge) => {
    const { carrier, account } = kit;
    const asked = kit.order({ promise_id: '' });
    const answer = await carrier.precheck(account, asked);
    const windows = answer.outcome === 'ok' ? answer.value.pickup_windows : [];
    if (!carrier.offers_windows) {
      judge(windows.length === 0, 'windows are answered and none is declared');
      return { not_declared: 'the adapter offers no windows' };
    }
    judge(windows.length > 1, `${windows.length} windows; ${JSON.stringify(answer).slice(0, 200)}`);
    judge(
      windows.every(({ starts_at, ends_at }) => starts_at < ends_at && ends_at > new Date()),
      'a window ends before it starts, or has passed',
    );
    const [first, last] = [windows[0], windows.at(-1)].map(
      (window) => window && { pickup_from: window.starts_at, pickup_until: window.ends_at },
    );
    const order = kit.order(first);
    const bodies = [
      order,
      { ...order, ...last },
      { ...order, pickup_from: null, pickup_until: null },
    ];
    judge(
      new Set(bodies.map((one) => kit.bodyOf(one))).size === bodies.length,
      'orders with different windows have the same bytes',
    );
    const made = await carrier.create(account, kit.bodyOf(order));
    judge(made.outcome === 'accepted', `an order with a window is ${made.outcome}`);
    const seen = `${windows.length} windows`;
    if (made.outcome !== 'accepted' || !changesPart(carrier.provider, 'pickup'))
      return { seen: `${seen}; fixed once ordered` };
    const change = carrier.modifyBody(account, made, order, { ...order, ...last });
    judge(change !== null, 'another window is no change');
    const changed = change === null ? null : await carrier.modify(account, change);
    judge(changed?.outcome === 'ok', `the change of the window is ${changed?.outcome}`);
    return { seen: `${seen}; changed` };
  },
};

const cancelled: CarrierPromise = {
  name: 'a cancelled parcel is known as cancelled',
  run: async (kit, judge) => {
    const { order, answer } = await kit.accepted();
    const key = { order_id: order.order_id, delivery_id: answer.delivery_id };
    const ended = await kit.carrier.cancel(kit.account, key, '客户取消');
    if (ended.outcome === 'refused' && ended.call.http_status === 0)
      return { not_declared: 'the carrier cannot cancel' };
    judge(ended.outcome === 'ok', `the cancellation is ${JSON.stringify(ended).slice(0, 200)}`);
    if (ended.outcome === 'ok') {
      const { effect } = kit.carrier.messageOfCancel(key, ended.value, new Date());
      judge(effect === 'cancelled', `the answer ${ended.value.result} has the effect ${effect}`);
    }
    return { seen: 'before the pickup' };
  },
};

/**
 * Searches for an order at the carrier by the method of recovery that the adapter declares. Returns
 * null if only a person can find the order.
 */
export const recovered = async (
  { carrier, account }: Pick<Kit, 'carrier' | 'account'>,
  order_id: string,
  body: string,
) => {
  if (carrier.recovers_by === 'person') return null;
  return carrier.recovers_by === 'repeat'
    ? carrier.create(account, body)
    : carrier.seek(account, { order_id, delivery_id: '' });
};

const cancelledByCarrier: CarrierPromise = {
  name: 'an order that the carrier cancelled meanwhile is not taken for a running one',
  run: async (kit, judge) => {
    if (kit.switches === null) return { not_tried: 'no fault switch' };
    const order = kit.order();
    const body = kit.bodyOf(order);
    const { calls } = await kit.line.during(onlyCreates(body, { does: 'drop', ask: true }), () =>
      kit.carrier.create(kit.account, body),
    );
    const answer = await recovered(kit, order.order_id, body);
    if (answer === null) return { not_declared: 'nothing can be asked' };
    if (answer.outcome !== 'accepted') throw new Error(`not recovered: ${answer.outcome}`);
    await kit.switches.cancel(answer.delivery_id);
    const again = await recovered(kit, order.order_id, body);
    const traced = await kit.carrier.trace(kit.account, answer);
    const isSeen =
      traced.outcome === 'ok' && traced.value.messages.some(({ effect }) => effect === 'cancelled');
    judge(
      again?.outcome !== 'accepted' || isSeen,
      'the repeat is accepted, and no message says that the order is cancelled',
    );
    return {
      seen: `${calls.length} calls; then ${again?.outcome}, trace ${isSeen ? 'says it' : 'silent'}`,
    };
  },
};

export const ordering = [
  capabilities,
  stored,
  confirmedProduct,
  pickupWindow,
  cancelled,
  cancelledByCarrier,
];
