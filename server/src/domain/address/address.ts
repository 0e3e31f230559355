/** Reading addresses that people paste, and the official divisions they are matched with. Pure: no I/O, no clock. */
import type { AddressCandidate } from '@waystation/contract/address.ts';
import { longestPaste } from '@waystation/contract/address.ts';
import { withoutListNumbers } from './list-numbers.ts';
import { splitPeople } from './people.ts';
import { mark } from './pieces.ts';
import { readRecord } from './record.ts';
import { spellings } from './text.ts';

export { divisions } from './divisions.ts';
export { likelyPlace, matchPlace, placeOf, receiveCode, senderCode } from './places.ts';

/**
 * The people in a pasted text, in its order (a text's own senders last), each with a confidence per field (contract/src/address.ts).
 * Phones are read first, then labels, then divisions; the rest is name and address. Never throws; the time is linear in the text,
 * which is cut at 20,000 characters.
 */
export const parseAddress = (text: string): { candidates: AddressCandidate[] } => {
  const people = splitPeople(mark(withoutListNumbers(spellings(text.slice(0, longestPaste)))));
  return { candidates: people.map(readRecord).filter((candidate) => candidate !== null) };
};
