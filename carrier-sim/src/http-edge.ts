import { randomUUID } from 'node:crypto';
import { isObject } from './reading.ts';
import { deliver } from './deliver.ts';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Answer, CarrierRequest, SimulatedCarrier, Subject } from './carrier.ts';
import type { Delivery } from './deliver.ts';
import type { Faults } from './faults.ts';
import type { Recent } from './recent.ts';
import type { SimClock } from './sim-clock.ts';

/** A recorded request with its response. Tests check with it how the client behaves. */
export type RequestRecord = Subject & {
  at: string;
  sim_at: string;
  carrier: string;
  method: string;
  path: string;
  body: string;
  /** The fault of this request; null if it has none. */
  fault: string | null;
  outcome: 'whole' | 'cut' | 'dropped';
  status: number;
  gateway_code: number | null;
  code: number | string | null;
  sub_code: string | null;
  success: boolean | null;
  ms: number;
};

export type Edge = {
  carriers: readonly SimulatedCarrier[];
  faults: Faults;
  requests: Recent<RequestRecord>;
  clock: SimClock;
  signal: AbortSignal;
};

const mostBody = 1_048_576;
const mostLogged = 20_000;

/** Thrown for a body above the limit. */
export class TooLarge extends Error {}

export const readBody = async (request: IncomingMessage, most: number): Promise<Buffer> => {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > most) throw new TooLarge(`the body is larger than ${most} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts);
};

/**
 * Sends a response completely or partly. For a dropped response, closes the connection without
 * sending a byte.
 */
export const sendAnswer = (response: ServerResponse, { answer, how }: Delivery): void => {
  if (how === 'dropped') {
    response.socket?.destroy();
    return;
  }
  const body = Buffer.from(answer.text ?? JSON.stringify(answer.json));
  response.writeHead(answer.status, {
    'content-type': 'application/json;charset=utf-8',
    'content-length': body.length,
    ...answer.headers,
  });
  if (how === 'whole') {
    response.end(body);
    return;
  }
  response.write(body.subarray(0, Math.floor(body.length / 2)), () => response.socket?.destroy());
};

type Codes = Pick<RequestRecord, 'gateway_code' | 'code' | 'sub_code' | 'success'> & {
  waybill_code?: string;
};

/** Reads the codes in a response, which may have the carrier's older wrapper. */
const codesOf = (answer: Answer): Codes => {
  const outer = isObject(answer.json) ? answer.json : {};
  const wrapper = isObject(outer['response']) ? outer['response'] : {};
  const body = isObject(wrapper['content']) ? wrapper['content'] : outer;
  const gateway = isObject(outer['error_response']) ? outer['error_response'] : {};
  const data = isObject(body['data']) ? body['data'] : {};
  const { code, subCode, success } = body;
  return {
    gateway_code: typeof gateway['code'] === 'number' ? gateway['code'] : null,
    code: typeof code === 'number' || typeof code === 'string' ? code : null,
    sub_code: typeof subCode === 'string' ? subCode : null,
    success: typeof success === 'boolean' ? success : null,
    ...(typeof data['waybillCode'] === 'string' ? { waybill_code: data['waybillCode'] } : {}),
  };
};

/** A request, and the response that it got. */
interface Answered {
  carrier: string;
  request: CarrierRequest;
  subject: Subject;
  fault: string | null;
  delivery: Delivery;
  startedAt: number;
}

const record = (
  edge: Edge,
  { carrier, request, subject, fault, delivery, startedAt }: Answered,
): void => {
  edge.requests.add({
    at: new Date().toISOString(),
    sim_at: new Date(edge.clock.now()).toISOString(),
    carrier,
    method: request.method,
    path: request.path,
    ...subject,
    ...codesOf(delivery.answer),
    body: request.body.toString('utf8').slice(0, mostLogged),
    fault,
    outcome: delivery.how,
    status: delivery.answer.status,
    ms: Math.round(performance.now() - startedAt),
  });
};

/** Answers one request whose path belongs to a carrier. */
export const serveCarrier = async (
  edge: Edge,
  incoming: IncomingMessage,
  response: ServerResponse,
  url: URL,
): Promise<void> => {
  const startedAt = performance.now();
  const request: CarrierRequest = {
    method: incoming.method ?? 'GET',
    path: url.pathname,
    query: url.searchParams,
    headers: incoming.headers,
    body: await readBody(incoming, mostBody),
  };
  const carrier =
    edge.carriers.find((one) => one.serves(request.path)) ?? (edge.carriers[0] as SimulatedCarrier);
  response.setHeader('Lop-Trace-Id', randomUUID());
  const admission = carrier.admit(request);
  const operation = (admission.admitted && admission.operation) || request.path;
  const fault = admission.admitted ? edge.faults.take(operation, admission.subject) : undefined;
  const delivery: Delivery = admission.admitted
    ? await deliver(admission, fault, edge.signal)
    : { answer: admission.answer, how: 'whole' };
  record(edge, {
    carrier: carrier.name,
    request: { ...request, path: operation },
    subject: admission.subject,
    fault: fault?.kind ?? null,
    delivery,
    startedAt,
  });
  sendAnswer(response, delivery);
};
