import type { AddressCandidate } from '@waystation/contract/parcels/address.ts';
import { parseAddress } from '#domain/address/address.ts';

/** Returns the people that the server reads in a pasted text. */
export const pastedPeople = (text: string): AddressCandidate[] => parseAddress(text).candidates;
