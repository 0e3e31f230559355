import type { Provider } from '@waystation/contract/network/provider.ts';
import { openWire, outboundPolicy, systemClock } from '@waystation/server/testing/carrier-kit.ts';
import type {
  Accepted,
  Carrier,
  CarrierAccount,
  CarrierOrder,
  Wire,
} from '@waystation/server/testing/carrier-kit.ts';
import { openLine } from './line.ts';
import type { Fate, Line, LineCall } from './line.ts';

/**
 * The fault switches on the control page of a simulated carrier. They change the behaviour of the
 * carrier, and not of the proxy. A real carrier has no switches.
 */
export interface Switches {
  /** The carrier refuses the next order with a text that gives the reason. */
  refuse(): Promise<void>;
  /** The carrier cancels the order on its own initiative. */
  cancel(waybill: string): Promise<void>;
  pickUp(waybill: string): Promise<void>;
  /**
   * Sets the weight in grams and the amount in fen that the carrier reports for a parcel after its
   * pickup.
   */
  facts(waybill: string, facts: { weight: number; amount: number }): Promise<void>;
  /**
   * Makes the carrier send its pushes to this URL. When `settle` resolves, all pushes that were due
   * have been sent.
   */
  pushesTo(url: string): Promise<void>;
  settle(): Promise<void>;
  /** Sets the carrier's clock one day ahead. */
  nextDay(): Promise<void>;
  /**
   * Makes the account's token expire. The function is absent if the carrier's accounts have no
   * token.
   */
  expireToken?(): Promise<void>;
}

/** An adapter, together with the account and the samples with which it is checked. */
export interface Subject {
  name: string;
  open(parts: { wire: Wire; clock: { now(): Date } }): Carrier;
  /** The URL of the carrier. */
  at: string;
  account: Omit<CarrierAccount, 'provider' | 'base_url'>;
  /** The secret texts of the account. No stored record may contain any of them. */
  secrets: readonly string[];
  /** The product code with which the parcels are ordered. */
  product: string;
  /**
   * The product that was ordered, the text with which the carrier's answer confirms another
   * product, and the code of that other product.
   */
  otherProduct?: { ordered: string; confirmed: string; code: string };
  /** The carrier's pushes that were recorded earlier. */
  pushes: readonly string[];
  switches?: Switches;
}

export interface Kit {
  subject: Subject;
  line: Line;
  carrier: Carrier;
  /** The account whose calls pass through `line`. */
  account: CarrierAccount;
  switches: Switches | null;
  /** The number of milliseconds after which the adapter `hasty` stops waiting for an answer. */
  hastyMs: number;
  hasty: Carrier;
  /** Makes a new order with a new order number. */
  order(changes?: Partial<CarrierOrder>): CarrierOrder;
  bodyOf(order: CarrierOrder): string;
  /** Orders a parcel, and throws if the carrier does not accept the order. */
  accepted(changes?: Partial<CarrierOrder>): Promise<{ order: CarrierOrder; answer: Accepted }>;
  close(): Promise<void>;
}

/** True if a call contains exactly the bytes of this order. */
export const carries = ({ texts }: Pick<LineCall, 'texts'>, body: string): boolean =>
  texts.some((text) => text.includes(body));

export const onlyCreates =
  (body: string, fate: Fate) =>
  (call: Pick<LineCall, 'texts'>): Fate | null =>
    carries(call, body) ? fate : null;

const example: Omit<CarrierOrder, 'order_id' | 'promise_id'> = {
  thr_order_id: 'SHOP-1',
  sender_name: '张三',
  sender_phone: '13800000001',
  sender_province: '广东省',
  sender_city: '深圳市',
  sender_county: '南山区',
  sender_address: '示例科技路2号',
  receive_name: '李四',
  receive_phone: '13900000002',
  receive_province: '上海市',
  receive_city: '上海市',
  receive_county: '浦东新区',
  receive_address: '样例大道100号',
  package_count: 1,
  goods: '文件',
  goods_type: 1,
  weight: 1_300,
  length: 30,
  width: 20,
  height: 10,
  guarantee_value_amount: 0,
  remark: '',
  description: '',
};

const hastyMs = 400;
const patientMs = 10_000;

let count = 0;

export const openKit = async (subject: Subject): Promise<Kit> => {
  const target = new URL(subject.at);
  const line = await openLine(target);
  const outbound = outboundPolicy([`127.0.0.1:${line.port}`, '127.0.0.1:1']);
  const wires = [patientMs, hastyMs].map((timeoutMs) => openWire({ outbound, timeoutMs }));
  const [carrier, hasty] = wires.map((wire) => subject.open({ wire, clock: systemClock }));
  const account: CarrierAccount = {
    ...subject.account,
    provider: subject.name as Provider,
    base_url: new URL(target.pathname, line.origin).href.replace(/\/$/, ''),
  };
  const order: Kit['order'] = (changes = {}) => ({
    ...example,
    order_id: `K${Date.now()}-${(count += 1)}`,
    promise_id: subject.product,
    ...changes,
  });
  const bodyOf: Kit['bodyOf'] = (one) => carrier!.createBody(account, one);
  return {
    subject,
    line,
    carrier: carrier!,
    hasty: hasty!,
    hastyMs,
    account,
    switches: subject.switches ?? null,
    order,
    bodyOf,
    accepted: async (changes) => {
      const one = order(changes);
      const answer = await carrier!.create(account, bodyOf(one));
      if (answer.outcome !== 'accepted')
        throw new Error(`an order was not accepted: ${JSON.stringify(answer).slice(0, 300)}`);
      return { order: one, answer };
    },
    close: async () => {
      for (const wire of wires) wire.close();
      await line.close();
    },
  };
};
