/**
 * Finds names, phones and addresses in texts that users paste, with the list of official divisions.
 * Pure functions: no I/O, no clock.
 */
import type { AddressCandidate } from '@waystation/contract/parcels/address.ts';
import {
  doubtfulBelow,
  longestPaste,
  longestSource,
} from '@waystation/contract/parcels/address.ts';
import { withoutListNumbers } from './list-numbers.ts';
import { splitPeople } from './people.ts';
import { mark } from './pieces.ts';
import { readRecord } from './record.ts';
import { spellings, trimOff } from './text.ts';

export { divisions } from './divisions.ts';
export { likelyPlace, matchPlace, placeOf, receiveCode, senderCode } from './places.ts';
export { repairsOf } from './repairs.ts';
type PersonConfidence = AddressCandidate['confidence'];

/**
 * Lowers all confidences below the threshold, because the texts may belong to another person. Only
 * the phone keeps its confidence, because it identifies the person.
 */
const doubted = ({ phone, ...others }: PersonConfidence): PersonConfidence => ({
  ...(Object.fromEntries(
    Object.entries(others).map(([field, value]) => [field, Math.min(value, doubtfulBelow - 20)]),
  ) as Omit<PersonConfidence, 'phone'>),
  phone,
});

/**
 * The people in a pasted text, in order, with senders last. Each has its part of the text and a
 * confidence for every field (contract/src/parcels/address.ts). Phones are found first, then
 * labels, then divisions; the rest is name and address. Never throws. The text is cut at 20,000
 * characters, and the time is linear in its length.
 */
export const parseAddress = (text: string): { candidates: AddressCandidate[] } => {
  const people = splitPeople(mark(withoutListNumbers(spellings(text.slice(0, longestPaste)))));
  return {
    candidates: people.flatMap(({ marked, isDoubtful }) => {
      const candidate = readRecord(marked);
      if (candidate === null) return [];
      const source = trimOff(marked.text.shown, ' \n').slice(0, longestSource);
      return [
        {
          ...candidate,
          source,
          confidence: isDoubtful ? doubted(candidate.confidence) : candidate.confidence,
        },
      ];
    }),
  };
};
