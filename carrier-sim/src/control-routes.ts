import { createHash, timingSafeEqual } from 'node:crypto';
import { fieldsOf, Unreadable } from './reading.ts';
import { readBody, sendAnswer, TooLarge } from './http-edge.ts';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Control } from './control.ts';
import type { Fields } from './reading.ts';
import type { ApplicationInput } from './jdl/accounts.ts';
import type { StepCode } from './jdl/order.ts';
import type { OrderFilter } from './jdl/order-view.ts';

export type ControlDoor = { control: Control; token: string | null; instance: string };

const mostBody = 64 * 1_048_576;
const isLoopback = (address: string | undefined): boolean =>
  /^(?:::1|(?:::ffff:)?127\.\d{1,3}\.\d{1,3}\.\d{1,3})$/.test(address ?? '');

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
/** Compares in constant time. */
const isSame = (a: string, b: string): boolean => timingSafeEqual(digest(a), digest(b));

/**
 * Returns the reason why a request may not control the simulator; null if it may. A request of a
 * web page is never allowed, whatever its host name is.
 */
const barred = (door: ControlDoor, request: IncomingMessage): string | null => {
  if (!isLoopback(request.socket.remoteAddress)) return 'the control API answers on loopback only';
  const host = (request.headers.host ?? '').replace(/:\d+$/, '');
  if (!['localhost', '127.0.0.1', '[::1]'].includes(host))
    return 'the control API answers to localhost only';
  if (request.headers.origin !== undefined) return 'the control API does not answer to pages';
  if (door.token === null) return null;
  const token = request.headers['x-sim-token'];
  return typeof token === 'string' && isSame(token, door.token)
    ? null
    : 'x-sim-token is missing or wrong';
};

const number = (query: URLSearchParams, name: string): number | undefined => {
  const text = query.get(name);
  if (text === null) return undefined;
  if (!/^\d{1,15}$/.test(text)) throw new Unreadable(name, 'must be a whole number');
  return Number(text);
};

const orderFilter = (query: URLSearchParams): OrderFilter => {
  const filter: OrderFilter = {};
  for (const name of ['after', 'limit', 'status'] as const) {
    const value = number(query, name);
    if (value !== undefined) filter[name] = value;
  }
  for (const name of ['customer_code', 'order_id', 'waybill_code'] as const) {
    const value = query.get(name);
    if (value !== null) filter[name] = value;
  }
  const ordered = query.get('ordered');
  if (ordered !== null) filter.ordered = ordered === '1' || ordered === 'true';
  return filter;
};

const readApplication = (fields: Fields): ApplicationInput => ({
  app_key: fields.text('app_key', 1, 100),
  app_secret: fields.text('app_secret', 1, 100),
  partner: fields.maybeFlag('partner') ?? false,
  accounts: fields.list('accounts', 1, 100).map((account, i) => {
    const codes = account.raw('customer_codes');
    if (!Array.isArray(codes) || !codes.every((code) => typeof code === 'string'))
      throw new Unreadable(`${account.path}.customer_codes`, 'must be a list of texts');
    const refreshToken = account.maybeText('refresh_token', 200);
    return {
      seller_id: account.maybeText('seller_id', 100) ?? `seller${i + 1}`,
      access_token: account.text('access_token', 1, 200),
      ...(refreshToken === undefined ? {} : { refresh_token: refreshToken }),
      customer_codes: codes,
      callback_url: account.maybeText('callback_url', 1000) ?? null,
    };
  }),
});

type ControlRequest = { query: URLSearchParams; body(): Fields; raw(): unknown; waybill: string };
type Act = (control: Control, request: ControlRequest) => unknown;
const done = { ok: true };

/** The routes of the control API. `*` in a path is a waybill. */
const acts: Record<string, Act> = {
  'GET /_sim/health': (control) => control.health(),
  'GET /_sim/clock': (control) => control.clock(),
  'POST /_sim/clock': (control, { raw }) => control.setClock(raw() as object),
  'POST /_sim/clock/advance': (control, { body }) =>
    control.advance(body().whole('ms', 0, Number.MAX_SAFE_INTEGER)),
  'GET /_sim/orders': (control, { query }) => control.orders(orderFilter(query)),
  'POST /_sim/orders/seed': (control, { body }) => {
    const fields = body();
    const [orders, taken] = [fields.raw('orders'), fields.raw('taken') ?? []];
    if (!Array.isArray(orders)) throw new Unreadable('orders', 'must be a list');
    if (!Array.isArray(taken)) throw new Unreadable('taken', 'must be a list');
    return control.seed(orders, taken);
  },
  'GET /_sim/orders/*': (control, { waybill }) => control.order(waybill),
  'POST /_sim/orders/*/jump': (control, { waybill, body }) =>
    control.jump(waybill, body().text('to', 1, 40) as StepCode),
  'POST /_sim/orders/*/facts': (control, { waybill, raw }) =>
    control.setFacts(waybill, raw() as object),
  'POST /_sim/orders/*/events': (control, { waybill, raw }) =>
    control.tell(waybill, raw() as object),
  'GET /_sim/faults': (control) => control.faults(),
  'POST /_sim/faults': (control, { raw }) => {
    control.addFault(raw() as { kind: string });
    return control.faults();
  },
  'DELETE /_sim/faults': (control) => {
    control.clearFaults();
    return control.faults();
  },
  'POST /_sim/faults/mix': (control, { raw }) => {
    control.mixFaults(raw() as { rates: Record<string, number> } | null);
    return control.faults();
  },
  'GET /_sim/requests': (control, { query }) => ({
    requests: control.requests(number(query, 'after'), number(query, 'limit')),
  }),
  'GET /_sim/pushes': (control, { query }) => ({
    pushes: control.pushes(number(query, 'after'), number(query, 'limit')),
  }),
  'POST /_sim/pushes/settle': (control, { body }) =>
    control.settle(body().maybeWhole('within_ms', 0, 600_000)),
  'GET /_sim/settings': (control) => control.settings(),
  'POST /_sim/settings': (control, { raw }) => control.change(raw() as object),
  'GET /_sim/applications': (control) => ({ applications: control.applications() }),
  'POST /_sim/applications': (control, { body }) => {
    control.addApplication(readApplication(body()));
    return done;
  },
  'POST /_sim/callbacks': (control, { body }) => {
    control.setCallback({
      customer_code: body().maybeText('customer_code', 32),
      url: body().maybeText('url', 1000) ?? null,
    });
    return done;
  },
  'POST /_sim/tokens/expire': (control, { body }) => {
    control.expireTokens(body().text('customer_code', 1, 32));
    return done;
  },
  'POST /_sim/tokens/code': (control, { body }) =>
    control.issueCode(body().text('customer_code', 1, 32)),
};

const sfActs: Record<string, Act> = {
  'GET /_sim/sf/keys': ({ sf }) => ({ keys: sf.keys() }),
  'GET /_sim/sf/orders': ({ sf }, { query }) => ({
    orders: sf.orders({ order_id: query.get('order_id') ?? undefined }),
  }),
  'GET /_sim/sf/orders/*': ({ sf }, { waybill }) => sf.order(waybill),
  'POST /_sim/sf/orders/*/jump': ({ sf }, { waybill, body }) =>
    sf.jump(waybill, body().text('to', 1, 20)),
  'POST /_sim/sf/orders/*/cancel': ({ sf }, { waybill }) => sf.cancel(waybill),
  'POST /_sim/sf/orders/*/events': ({ sf }, { waybill, raw }) => sf.tell(waybill, raw() as object),
  'POST /_sim/sf/orders/*/facts': ({ sf }, { waybill, raw }) =>
    sf.setFacts(waybill, raw() as object),
  'POST /_sim/sf/orders/*/fees': ({ sf }, { waybill, raw }) => {
    sf.pushFee(waybill, raw() as object);
    return done;
  },
  'POST /_sim/sf/partner': ({ sf }, { raw }) => {
    sf.setPartner(raw() as object);
    return done;
  },
};

const actFor = (method: string, path: string): { act: Act; waybill: string } | undefined => {
  const exact = acts[`${method} ${path}`] ?? sfActs[`${method} ${path}`];
  if (exact !== undefined) return { act: exact, waybill: '' };
  const parts = /^\/_sim\/(sf\/)?orders\/([^/]{1,50})(\/(?:jump|cancel|facts|events|fees))?$/.exec(
    path,
  );
  const key = `${method} /_sim/${parts?.[1] ?? ''}orders/*${parts?.[3] ?? ''}`;
  const act = acts[key] ?? sfActs[key];
  return parts === null || act === undefined
    ? undefined
    : { act, waybill: decodeURIComponent(parts[2] ?? '') };
};

const parse = (text: string): unknown => {
  if (text === '') return {};
  try {
    return JSON.parse(text);
  } catch {
    throw new Unreadable('body', 'must be JSON');
  }
};

/**
 * Serves one request below `/_sim/`: JSON in, JSON out, `{error}` with 400, 403, 404 or 413.
 */
export const serveControl = async (
  door: ControlDoor,
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
): Promise<void> => {
  const send = (status: number, json: unknown): void =>
    sendAnswer(response, { answer: { status, json }, how: 'whole' });
  if (url.pathname === '/_sim/alive') return send(200, { instance: door.instance });
  const reason = barred(door, request);
  if (reason !== null) return send(403, { error: reason });
  const found = actFor(request.method ?? 'GET', url.pathname);
  if (found === undefined)
    return send(404, {
      error: `there is no ${request.method} ${url.pathname}; carrier-sim/README.md lists what there is`,
    });
  try {
    const text = (await readBody(request, mostBody)).toString('utf8');
    const value = parse(text);
    const parsed: ControlRequest = {
      query: url.searchParams,
      body: () => fieldsOf(value, ''),
      raw: () => value,
      waybill: found.waybill,
    };
    return send(200, await found.act(door.control, parsed));
  } catch (error) {
    if (error instanceof Unreadable) return send(400, { error: error.message, field: error.field });
    if (error instanceof TooLarge) return send(413, { error: error.message });
    throw error;
  }
};
