import type { Reason } from '@waystation/contract/base/envelope.ts';
import type { Messages } from '#domain/carriers/port.ts';
import { isFields, parseJson } from '#domain/carriers/reading.ts';
import { messageOf } from './states.ts';

/** The messages of the rows of a trace; rows that cannot be read are returned unchanged. */
export const messagesOf = (rows: readonly unknown[], requestedWaybill = ''): Messages => {
  const result: Messages = { messages: [], unreadable: [] };
  for (const row of rows) {
    const message = messageOf(row, requestedWaybill);
    if (message) result.messages.push(message);
    else result.unreadable.push(row);
  }
  return result;
};

/**
 * Reads a push: one JSON object for an event, or a list of them. A push has no signature and no
 * weight, so it is only a hint; `needs_facts` means that weight and fee must be requested.
 */
export const parsePush = (
  body: string,
): ({ outcome: 'ok' } & Messages) | { outcome: 'unreadable'; reason: Reason } => {
  const content = parseJson(body);
  const rows = isFields(content) ? [content] : Array.isArray(content) ? content : [];
  const read = messagesOf(rows);
  return read.messages.length === 0
    ? { outcome: 'unreadable', reason: { code: 'carrier_push_unreadable' } }
    : { outcome: 'ok', ...read };
};

/**
 * The answer to a push from JDL, as other implementations give it. JDL sends the push again after
 * "500".
 */
export const pushAnswer = (accepted: boolean): { code: string; msg: string } =>
  accepted ? { code: '200', msg: 'ok' } : { code: '500', msg: 'try again' };
