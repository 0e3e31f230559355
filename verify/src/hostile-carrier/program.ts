/**
 * A simulated carrier that follows JDL's protocol correctly unless the script of an order demands
 * something else. It is an HTTP server. The product must lose no money because of its answers.
 */
import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export type Operation =
  | 'precheck'
  | 'create'
  | 'trace'
  | 'details'
  | 'fee'
  | 'cancel'
  | 'modify'
  | 'other';

/**
 * A simulated reply: any body with any HTTP status, a broken connection, or no answer before the
 * time limit.
 */
export interface Reply {
  status?: number;
  headers?: Record<string, string>;
  body?: unknown;
  /**
   * The way in which the answer is broken. `hang`: there is no answer. `reset`: the connection is
   * closed. `cut`: the connection is closed in the middle of the body.
   */
  mishap?: 'hang' | 'reset' | 'cut';
}

/**
 * A call about an order. `nth` is 1 for the first call of the same operation about this order, 2
 * for the second, and so on.
 */
export interface Call {
  order: Order;
  nth: number;
  request: Record<string, unknown>;
}

export interface Order {
  order_id: string;
  waybill: string;
  /**
   * The number of the return waybill; empty until the carrier's trace contains a return waybill.
   */
  back: string;
  /** The declared weight in grams. */
  declared: number;
  weight: number;
  /** The trace codes that were sent so far, each as a category and a state. */
  moved: [category: number, state: string][];
  since: number;
  script: Script;
}

/**
 * Replaces the carrier's answers to the operations on one order. If a function returns undefined,
 * the carrier gives its normal, correct answer.
 */
export type Script = Partial<Record<Operation, (call: Call) => Reply | undefined>>;

export const ok = (data: unknown, more: object = {}): Reply => ({
  body: { code: 0, success: true, msg: '成功', data, ...more },
});
export const failed = (msg: string, more: object = {}): Reply => ({
  body: { code: 1, success: false, msg, ...more },
});

/** Formats a time in milliseconds as the carrier writes it. */
export const wallClock = (milliseconds: number): string =>
  new Date(milliseconds + 8 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ');

export const traceRow = (
  order: Order,
  [category, state]: [number, string],
  at = order.since,
  more: object = {},
): object => ({
  waybillCode: order.waybill,
  orderId: order.order_id,
  category,
  state,
  operationTime: wallClock(at),
  operationTitle: '测试',
  ...more,
});

export const traceOf = (order: Order, more: readonly unknown[] = []): Reply =>
  ok({
    traceDetails: [
      ...order.moved.map((move, n) => traceRow(order, move, order.since + n * 1_000)),
      ...more,
    ],
  });

export const feesOf = (rows: readonly unknown[], sumMoney: unknown = 9): Reply =>
  ok({ sumMoney, commonActualFeeInfoDetails: rows });
export const carriage = { feeType: 'QIPSF', feeTypeName: '快递运费', money: 9 };

const isPickedUp = (order: Order): boolean => order.moved.some(([category]) => category >= 420);

const honest: Record<Operation, (call: Call) => Reply> = {
  precheck: () => failed('演示'),
  create: ({ order }) =>
    ok({
      waybillCode: order.waybill,
      orderCode: `EO${order.waybill}`,
      needRetry: false,
      faceSheetResponse: { faceSheetInfo: { road: '12', agingName: '标快' } },
    }),
  trace: ({ order }) => traceOf(order),
  details: ({ order }) =>
    ok({
      orderId: order.order_id,
      cargoes: [
        { quantity: 1, ...(isPickedUp(order) && { againWeight: String(order.weight / 1_000) }) },
      ],
    }),
  fee: ({ order }) => (isPickedUp(order) ? feesOf([carriage]) : failed('运单未揽收，费用未产生')),
  cancel: () => ok({ resultType: 0 }),
  modify: () => ok({}),
  other: () => ok({}),
};

const operations: readonly [ending: string, operation: Operation][] = [
  ['orders/precheck', 'precheck'],
  ['orders/create', 'create'],
  ['trace/query', 'trace'],
  ['details/query', 'details'],
  ['actualfee/query', 'fee'],
  ['orders/cancel', 'cancel'],
  ['orders/modify', 'modify'],
];

export interface HostileCarrier {
  url: string;
  port: number;
  /** Sets the script for the next order that is sent to this recipient. */
  expect(receiver: string, script: Script): void;
  orderOf(order_id: string): Order;
  close(): Promise<void>;
}

const send = (
  response: ServerResponse,
  { status = 200, headers = {}, body = '', mishap }: Reply,
): void => {
  if (mishap === 'hang') return;
  if (mishap === 'reset') return void response.socket?.destroy();
  const bytes = Buffer.isBuffer(body)
    ? body
    : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  response.writeHead(status, {
    'content-type': 'application/json;charset=utf-8',
    'content-length': String(bytes.length),
    ...headers,
  });
  if (mishap !== 'cut') return void response.end(bytes);
  response.write(bytes.subarray(0, bytes.length / 2));
  setTimeout(() => response.socket?.destroy(), 20);
};

interface CreateRequest {
  orderId: string;
  receiverContact: { name: string };
  cargoes: { weight: number }[];
}

export const openHostileCarrier = async (): Promise<HostileCarrier> => {
  const scripts = new Map<string, Script>();
  const orders = new Map<string, Order>();
  const counts = new Map<string, number>();
  const sockets = new Set<Socket>();
  let numbers = 0;
  const created = ({ orderId, receiverContact, cargoes }: CreateRequest): Order => {
    const declared = Math.round((cargoes[0]?.weight ?? 1) * 1_000);
    const order: Order = {
      order_id: orderId,
      waybill: `JDVE${String(70_000_000_000 + ++numbers)}`,
      back: '',
      declared,
      weight: declared,
      moved: [[100, '']],
      since: Date.now(),
      script: scripts.get(receiverContact.name) ?? {},
    };
    orders.set(orderId, order);
    return order;
  };
  const found = (request: Record<string, unknown>): Order | undefined =>
    orders.get(String(request['orderId'])) ??
    [...orders.values()].find(({ waybill, back }) =>
      [waybill, back].includes(String(request['waybillCode'])),
    );
  const answer = (path: string, text: string): Reply => {
    const operation = operations.find(([ending]) => path.endsWith(ending))?.[1] ?? 'other';
    const request = (JSON.parse(text) as Record<string, unknown>[])[0] ?? {};
    const order =
      found(request) ??
      (operation === 'create' ? created(request as unknown as CreateRequest) : undefined);
    if (!order) return failed('运单不存在');
    const key = `${operation} ${order.order_id}`;
    const nth = (counts.get(key) ?? 0) + 1;
    counts.set(key, nth);
    const call = { order, nth, request };
    return order.script[operation]?.(call) ?? honest[operation](call);
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () =>
      send(
        response,
        answer(
          new URL(request.url ?? '', 'http://carrier').pathname,
          Buffer.concat(chunks).toString(),
        ),
      ),
    );
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    expect: (receiver, script) => void scripts.set(receiver, script),
    orderOf: (order_id) => orders.get(order_id)!,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
};
