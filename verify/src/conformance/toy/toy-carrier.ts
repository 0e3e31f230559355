import { createServer } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Switches } from '#conformance/kit.ts';

type Fields = Record<string, unknown>;

interface ToyOrder {
  order_id: string;
  waybill: string;
  product: string;
  pieces: number;
  route: { waybill: string; state: string; at: string }[];
  weight: number | null;
  amount: number | null;
}

/** An invented carrier with its own protocol. It keeps all promises of the port `Carrier`. */
export interface ToyCarrier {
  url: string;
  switches: Switches;
  /** The orders that the carrier has stored, by order number. */
  orders: ReadonlyMap<string, ToyOrder>;
  close(): Promise<void>;
}

const fieldsOf = async (request: IncomingMessage): Promise<Fields> => {
  const parts: Buffer[] = [];
  for await (const part of request as AsyncIterable<Buffer>) parts.push(part);
  return JSON.parse(Buffer.concat(parts).toString() || '{}') as Fields;
};

const refuse = (text: string): Fields => ({ ok: false, code: 'E1', text });

/** Writes an amount in fen as a text in yuan, because the carrier's answers have this format. */
const yuan = (fen: number): string => (fen / 100).toFixed(2);

const hour = 3_600_000;
/** Returns two pickup windows. They begin one hour and three hours from now. */
const windows = (): Fields[] =>
  [1, 3].map((from) => ({
    from: new Date(Date.now() + from * hour).toISOString(),
    until: new Date(Date.now() + (from + 2) * hour).toISOString(),
  }));

class Toy {
  readonly orders = new Map<string, ToyOrder>();
  refusals = 0;
  isExpired = false;
  pushUrl: string | null = null;
  private count = 0;

  byWaybill(waybill: unknown): ToyOrder | undefined {
    return [...this.orders.values()].find((order) => order.waybill === waybill);
  }

  step(order: ToyOrder, state: string): void {
    const at = new Date(Date.now() - 60_000 + order.route.length * 1_000).toISOString();
    order.route.push({ waybill: order.waybill, state, at });
  }

  order(fields: Fields): Fields {
    const order_id = String(fields['order_id']);
    const found = this.orders.get(order_id);
    if (found === undefined && this.refusals > 0) {
      this.refusals -= 1;
      return refuse('收件地址超出服务范围');
    }
    const order = found ?? {
      order_id,
      waybill: `ZT${String(1_000_000_000 + (this.count += 1))}`,
      product: String(fields['promise_id']),
      pieces: Number(fields['package_count']),
      route: [],
      weight: null,
      amount: null,
    };
    if (found === undefined) {
      this.orders.set(order_id, order);
      this.step(order, 'accepted');
    }
    const packages = Array.from({ length: order.pieces - 1 }, (_, n) => `${order.waybill}${n + 2}`);
    return {
      ok: true,
      repeated: found !== undefined,
      waybill: order.waybill,
      product: order.product,
      packages,
      site: '示例营业部',
    };
  }

  answer(path: string, fields: Fields): Fields {
    if (path === '/test') return { ok: true };
    if (path === '/windows') return { ok: true, windows: windows() };
    if (path === '/orders') return this.order(fields);
    if (path === '/search') {
      const found = this.orders.get(String(fields['order_id']));
      return found
        ? this.order({ order_id: found.order_id })
        : { ok: false, code: 'NONE', text: '没有该订单' };
    }
    const order = this.byWaybill(fields['delivery_id']);
    if (order === undefined) return refuse('没有该运单');
    if (path === '/trace') return { ok: true, route: order.route };
    if (path === '/cancel') {
      this.step(order, 'cancelled');
      return { ok: true };
    }
    if (path === '/weight')
      return { ok: true, kg: order.weight === null ? null : order.weight / 1_000 };
    return order.amount === null
      ? refuse('运费尚未产生')
      : { ok: true, fees: [{ code: 'F1', name: '运费', yuan: yuan(order.amount) }] };
  }
}

const switchesOf = (toy: Toy): Switches => {
  const found = (waybill: string): ToyOrder => {
    const order = toy.byWaybill(waybill);
    if (order === undefined) throw new Error(`the toy carrier has no ${waybill}`);
    return order;
  };
  return {
    refuse: async () => void (toy.refusals += 1),
    cancel: async (waybill) => toy.step(found(waybill), 'cancelled'),
    pickUp: async (waybill) => toy.step(found(waybill), 'collected'),
    facts: async (waybill, facts) => void Object.assign(found(waybill), facts),
    pushesTo: async (url) => void (toy.pushUrl = url),
    settle: async () => {
      for (const { route } of toy.orders.values())
        for (const row of route.slice(-2))
          await fetch(toy.pushUrl ?? '', {
            method: 'POST',
            body: JSON.stringify({ route: [row] }),
          });
    },
    nextDay: async () => {},
    expireToken: async () => void (toy.isExpired = true),
  };
};

export const openToyCarrier = async (token: string): Promise<ToyCarrier> => {
  const toy = new Toy();
  const server = createServer((request, response) => {
    const serve = async (): Promise<void> => {
      const fields = await fieldsOf(request);
      response.setHeader('content-type', 'application/json');
      const isKnown = request.headers.authorization === `Bearer ${token}` && !toy.isExpired;
      response.statusCode = isKnown ? 200 : 401;
      response.end(
        JSON.stringify(isKnown ? toy.answer(request.url ?? '', fields) : refuse('令牌已过期')),
      );
    };
    serve().catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    switches: switchesOf(toy),
    orders: toy.orders,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
