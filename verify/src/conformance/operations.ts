import type {
  Carrier,
  CarrierAccount,
  CarrierOrder,
} from '@waystation/server/testing/carrier-kit.ts';
import type { Kit } from './kit.ts';

/** The fields that all results of an adapter's operations share. */
export interface AnyAnswer {
  outcome: string;
  text?: string;
  code?: string;
  value?: unknown;
}

type Operation = (
  carrier: Carrier,
  account: CarrierAccount,
  at: { order: CarrierOrder; delivery_id: string },
) => Promise<AnyAnswer> | null;

/**
 * Every operation of an adapter that calls the carrier. The value is null if the adapter declares
 * that the carrier lacks the operation.
 */
export const operations: Readonly<Record<string, Operation>> = {
  test: (carrier, account) => carrier.test(account),
  precheck: (carrier, account, { order }) => carrier.precheck(account, order),
  prefetch: (carrier, account) => carrier.prefetch(account, 2),
  create: (carrier, account, { order }) =>
    carrier.create(account, carrier.createBody(account, order)),
  seek: (carrier, account, { order: { order_id }, delivery_id }) =>
    'seek' in carrier ? carrier.seek(account, { order_id, delivery_id }) : null,
  modify: (carrier, account, { order, delivery_id }) => {
    const body = carrier.modifyBody(account, { delivery_id }, order, {
      ...order,
      receive_name: '王五',
    });
    return body === null ? null : carrier.modify(account, body);
  },
  cancel: (carrier, account, { order: { order_id }, delivery_id }) =>
    carrier.cancel(account, { order_id, delivery_id }, '客户取消'),
  trace: (carrier, account, key) => carrier.trace(account, key),
  details: (carrier, account, key) => carrier.details(account, key),
  actualFee: (carrier, account, key) => carrier.actualFee(account, key),
  subscribe: (carrier, account, key) => carrier.subscribe(account, key, key.order.receive_phone),
  labels: (carrier, account, { order: { order_id }, delivery_id }) =>
    carrier.labelTemplate('76x130') === null
      ? null
      : carrier.labels(account, [{ order_id, delivery_id }]),
};

/**
 * Returns the operations of the adapter, each with the parcel on which it is tried. An operation
 * that makes no call counts as declared absent.
 */
export const declaredOperations = async (
  kit: Kit,
): Promise<{
  has: string[];
  lacks: string[];
  at: { order: CarrierOrder; delivery_id: string };
}> => {
  const { order, answer } = await kit.accepted();
  const at = { order, delivery_id: answer.delivery_id };
  const has: string[] = [];
  const lacks: string[] = [];
  for (const [name, act] of Object.entries(operations)) {
    const { calls } = await kit.line.during(
      () => ({ does: 'answer', ask: false, status: 502, body: '' }),
      async () => act(kit.carrier, kit.account, { ...at, order: kit.order() }),
    );
    (calls.length > 0 ? has : lacks).push(name);
  }
  return { has, lacks, at };
};
