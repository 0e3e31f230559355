import type { OutputOf, ParsedOf } from '@waystation/contract/endpoint.ts';
import type { parseAddress } from '@waystation/contract/address-calls.ts';
import type { App } from '#app.ts';
import { parseAddress as read } from '#domain/address/address.ts';
import type { Actor } from '#platform/auth/actor.ts';

/** The pasted text is read and forgotten: it is neither stored nor logged. */
export const parse = async (_app: App, _actor: Actor, { text }: ParsedOf<typeof parseAddress>): Promise<OutputOf<typeof parseAddress>> => read(text);
