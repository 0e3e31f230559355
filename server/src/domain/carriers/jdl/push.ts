import type { Reason } from '@waystation/contract/envelope.ts';
import type { Messages } from '#domain/carriers/port.ts';
import { isFields, parseJson } from './reading.ts';
import { messageOf } from './states.ts';

/** The messages of a trace's rows; rows that cannot be read are handed back as they came. */
export const messagesOf = (rows: readonly unknown[], asked = ''): Messages => {
  const result: Messages = { messages: [], unreadable: [] };
  for (const row of rows) {
    const message = messageOf(row, asked);
    if (message) result.messages.push(message);
    else result.unreadable.push(row);
  }
  return result;
};

/**
 * The body of a push: one JSON object per event, a list of them taken too. A push carries no signature and no weight, so it is a hint:
 * `needs_facts` says what to read afterwards.
 */
export const parsePush = (body: string): ({ outcome: 'ok' } & Messages) | { outcome: 'unreadable'; reason: Reason } => {
  const content = parseJson(body);
  const rows = isFields(content) ? [content] : Array.isArray(content) ? content : [];
  const read = messagesOf(rows);
  return read.messages.length === 0 ? { outcome: 'unreadable', reason: { code: 'carrier_push_unreadable' } } : { outcome: 'ok', ...read };
};

/** The one answer an implementer is known to give; "500" asks for the push again. */
export const pushAnswer = (taken: boolean): { code: string; msg: string } => (taken ? { code: '200', msg: 'ok' } : { code: '500', msg: 'try again' });
