import type { Messages, PushedFee } from '#domain/carriers/port.ts';
import type { Reason } from '@waystation/contract/base/envelope.ts';
import type { CarrierMessage } from '#domain/carriers/port.ts';
import { isFields, listOf, parseJson, unwrapJson } from '#domain/carriers/reading.ts';
import type { Fields } from '#domain/carriers/reading.ts';
import { pushedFeeOf } from './parse-facts.ts';
import { orderMessageOf, routeMessageOf } from './states.ts';

/**
 * The messages of a waybill, read from its rows and its list of reason codes. Rows that cannot be
 * read are returned unchanged.
 */
export const traceOf = (
  rows: readonly unknown[],
  asked: string,
  reasons: readonly string[] = [],
): Messages => {
  const result: Messages = { messages: [], unreadable: [] };
  for (const row of rows) {
    const message = routeMessageOf(row, asked, reasons);
    if (message) result.messages.push(message);
    else result.unreadable.push(row);
  }
  return result;
};

/**
 * The content of a push, which is sent as JSON or as a form with JSON in `content` or `msgData`.
 */
const contentOf = (body: string): unknown => {
  const content = parseJson(body);
  if (content !== undefined) return content;
  const form = new URLSearchParams(body);
  return parseJson(form.get('content') ?? form.get('msgData') ?? '');
};

const deepest = 5;
const mostRows = 200;

/**
 * The rows in a push, at any depth up to `deepest`, because the depth depends on the kind of push.
 * A row is an object with a route code, the state of an order, or a list of fees.
 */
const rowsIn = (value: unknown, depth = 0): Fields[] => {
  const inner = unwrapJson(value);
  if (depth > deepest) return [];
  if (Array.isArray(inner))
    return inner.slice(0, mostRows).flatMap((item) => rowsIn(item, depth + 1));
  if (!isFields(inner)) return [];
  const isRow = ['opCode', 'opcode', 'orderStateCode', 'feeList'].some((name) => name in inner);
  if (isRow) return [inner];
  return Object.values(inner)
    .slice(0, mostRows)
    .flatMap((item) => rowsIn(item, depth + 1));
};

interface Read {
  messages: CarrierMessage[];
  fees: PushedFee[];
  unreadable: unknown[];
}

const take = (read: Read, row: Fields): void => {
  if ('feeList' in row) {
    const fee = pushedFeeOf(row);
    if (fee) read.fees.push(fee);
    else read.unreadable.push(row);
    return;
  }
  const message = 'orderStateCode' in row ? orderMessageOf(row) : routeMessageOf(row);
  if (message) read.messages.push(message);
  else read.unreadable.push(row);
};

/**
 * Reads a push of routes, of an order's state, or of a fee. SF signs none of these, so each is only
 * a hint. Equal rows in the same push are returned once.
 */
export const parsePush = (
  body: string,
):
  | ({ outcome: 'ok'; fees: readonly PushedFee[] } & Messages)
  | { outcome: 'unreadable'; reason: Reason } => {
  const read: Read = { messages: [], fees: [], unreadable: [] };
  for (const row of listOf(rowsIn(contentOf(body)))) take(read, row as Fields);
  if (read.messages.length + read.fees.length === 0)
    return { outcome: 'unreadable', reason: { code: 'carrier_push_unreadable' } };
  const unique = new Map(read.messages.map((message) => [message.hash, message]));
  return { outcome: 'ok', ...read, messages: [...unique.values()] };
};

/** The answer to a push from SF. After `1000`, SF sends the push again. */
export const pushAnswer = (accepted: boolean): { return_code: string; return_msg: string } =>
  accepted ? { return_code: '0000', return_msg: '' } : { return_code: '1000', return_msg: 'again' };
