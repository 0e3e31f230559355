import type { OutputOf, ParsedOf } from '@waystation/contract/base/endpoint.ts';
import type { checkPlace, parseAddress } from '@waystation/contract/parcels/address-calls.ts';
import type { App } from '#app.ts';
import { parseAddress as read, repairsOf } from '#domain/address/address.ts';
import type { Actor } from '#platform/auth/actor.ts';

/** Reads an address from a pasted text, which is neither stored nor logged. */
export const parse = async (
  _app: App,
  _actor: Actor,
  { text }: ParsedOf<typeof parseAddress>,
): Promise<OutputOf<typeof parseAddress>> => read(text);

/**
 * Returns the reasons why an order would refuse these names, found by the function that orders use.
 */
export const checkNames = async (
  _app: App,
  _actor: Actor,
  { province = '', city = '', county = '' }: ParsedOf<typeof checkPlace>,
): Promise<OutputOf<typeof checkPlace>> => repairsOf({ province, city, county });
