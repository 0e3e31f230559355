import type { IncomingHttpHeaders } from 'node:http';

/** One HTTP request as a carrier sees it; `body` has the exact bytes. */
export type CarrierRequest = {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  body: Buffer;
};

/** `json` is serialized when it is sent; `text` is sent unchanged. */
export type Answer = {
  status: number;
  headers?: Record<string, string>;
  json?: unknown;
  text?: string;
};

/**
 * The fault of a response whose effect was already stored: it is lost, replaced by an error, or
 * slow.
 */
export type Mishap =
  | { kind: 'drop' }
  | { kind: 'error'; status: number }
  | { kind: 'slow'; ms: number };

export type Outcome = { answer: Answer; mishap?: Mishap };

/** The order that a request is about. Faults for one order, and the list of requests, use it. */
export type Subject = {
  app_key?: string;
  customer_code?: string;
  order_id?: string;
  waybill_code?: string;
};

/**
 * A request that the carrier's gateway accepted or refused. An accepted one is not yet executed:
 * each call of `process` executes it once.
 */
export type Admission =
  | { admitted: false; answer: Answer; subject: Subject }
  | {
      admitted: true;
      subject: Subject;
      /**
       * The name of the operation in faults and in the list of requests. It is set if one URL path
       * serves many operations.
       */
      operation?: string;
      process(): Outcome;
      /** Returns the carrier's response that refuses an order, or the error of its gateway. */
      businessError(message: string, code: number, subCode: string | null): Answer;
      gatewayError(code: number): Answer;
    };

/**
 * A simulated carrier. The server asks if a path belongs to it, then lets it check a request, and
 * then gets its response.
 */
export type SimulatedCarrier = {
  name: string;
  serves(path: string): boolean;
  admit(request: CarrierRequest): Admission;
};
