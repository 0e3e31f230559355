import type { OutputOf, ParsedOf } from '@waystation/contract/endpoint.ts';
import type { checkPlace, parseAddress } from '@waystation/contract/address-calls.ts';
import type { App } from '#app.ts';
import { parseAddress as read, repairsOf } from '#domain/address/address.ts';
import type { Actor } from '#platform/auth/actor.ts';

/** The pasted text is read and forgotten: it is neither stored nor logged. */
export const parse = async (_app: App, _actor: Actor, { text }: ParsedOf<typeof parseAddress>): Promise<OutputOf<typeof parseAddress>> => read(text);

/** What an order with these names would be refused for, by the function that would refuse it. */
export const checkNames = async (
  _app: App,
  _actor: Actor,
  { province = '', city = '', county = '' }: ParsedOf<typeof checkPlace>,
): Promise<OutputOf<typeof checkPlace>> => repairsOf({ province, city, county });
