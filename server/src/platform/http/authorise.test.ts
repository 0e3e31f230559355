import { EventEmitter } from 'node:events';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { describe, expect, it } from 'vitest';
import type { CheckedEndpoint } from '@waystation/contract/base/endpoint.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { createApiKey } from '#platform/auth/api-key.ts';
import { createKeySlots } from '#platform/auth/key-slots.ts';
import { Failure } from '#platform/fail.ts';
import { authorise } from './authorise.ts';

const each = 8;
const endpoint = { roles: ['user'], key: 'parcels' } as unknown as CheckedEndpoint;
const owner = '203.0.113.1';

const actorOf = (id: number, account_id: number): Actor =>
  ({
    account_id,
    role: 'user',
    must_change: 0,
    key: { id, name: 'shop', scopes: ['parcels'], calls: 1, resets_in: 60, together: null },
  }) as unknown as Actor;

/** Creates a server process in which `check` gives the result of each check of a key. */
const openProcess = (check: (token: string, address: string) => Promise<Actor>) => {
  const options = {
    authenticate: (token: string, { address }: { address: string }) => check(token, address),
    keySlots: createKeySlots(each),
  };
  return {
    /**
     * Starts a call and returns its outcome. The call's response stays open until `close` is
     * called.
     */
    call: async (token: string, address: string) => {
      const raw = Object.assign(new EventEmitter(), { destroyed: false });
      const reply = { raw, headers: () => reply } as unknown as FastifyReply;
      const request = { ip: address, method: 'GET', url: '/', headers: {} };
      const outcome = await authorise(options, endpoint, token, {
        request: request as unknown as FastifyRequest,
        reply,
      }).then(
        () => 'ok',
        (error: unknown) => (error as Failure).code,
      );
      return { outcome, close: () => raw.emit('close') };
    },
  };
};

const outcomesOf = async (
  calls: readonly Promise<{ outcome: string }>[],
): Promise<Record<string, number>> => {
  const counts: Record<string, number> = {};
  for (const { outcome } of await Promise.all(calls)) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
};
const times = <T>(n: number, make: (at: number) => T): T[] =>
  Array.from({ length: n }, (_, at) => make(at));
const refusal = (): Failure => new Failure('key_address_refused', { address: '' }, {});

describe('simultaneous calls of API keys', () => {
  it('many calls with a stolen API key from refused addresses do not stop the calls of the key’s owner', async () => {
    const key = createApiKey();
    const held = Promise.withResolvers<Actor>();
    const server = openProcess((_, address) =>
      address === owner ? Promise.resolve(actorOf(1, 1)) : held.promise,
    );
    const foreign = times(each * 4, (at) => server.call(key, `198.51.100.${at % 2}`));
    expect((await server.call(key, owner)).outcome).toBe('ok');
    held.reject(refusal());
    expect(await outcomesOf(foreign)).toEqual({
      key_address_refused: each * 2,
      too_many_requests: each * 2,
    });
  });

  it('a refused call of an API key does not count as a simultaneous call, even if its response is never read', async () => {
    const key = createApiKey();
    const server = openProcess((_, address) =>
      address === owner ? Promise.resolve(actorOf(1, 1)) : Promise.reject(refusal()),
    );
    const refused: { outcome: string }[] = [];
    for (let n = 0; n < each * 2; n++) refused.push(await server.call(key, '198.51.100.1'));
    expect(new Set(refused.map(({ outcome }) => outcome))).toEqual(
      new Set(['key_address_refused']),
    );
    expect((await server.call(key, owner)).outcome).toBe('ok');
  });

  it('thousands of invalid API keys from one address do not stop the calls of a valid API key from another address', async () => {
    const key = createApiKey();
    const held = Promise.withResolvers<Actor>();
    const server = openProcess((token) =>
      token === key ? Promise.resolve(actorOf(1, 1)) : held.promise,
    );
    const bad = times(6_000, (at) => server.call(`${key.slice(0, -6)}${at}`, '198.51.100.1'));
    const good = times(200, () => server.call(createApiKey(), '198.51.100.2'));
    expect((await server.call(key, owner)).outcome).toBe('ok');
    held.reject(new Failure('key_invalid', {}, {}));
    expect(await outcomesOf(bad)).toEqual({ key_invalid: 6_000 });
    expect(await outcomesOf(good)).toEqual({ key_invalid: 100, too_many_requests: 100 });
  });

  it('all API keys of an account share one limit of simultaneous calls, and a call counts until its response has ended', async () => {
    const keys = new Map(times(3, (at) => [createApiKey(), actorOf(at, at < 2 ? 1 : 2)] as const));
    const server = openProcess((token) => Promise.resolve(keys.get(token)!));
    const [one, two, other] = [...keys.keys()] as [string, string, string];
    const first = await server.call(one, owner);
    for (let n = 1; n < each; n++)
      expect((await server.call(n % 2 ? two : one, owner)).outcome).toBe('ok');
    expect((await server.call(two, owner)).outcome).toBe('too_many_requests');
    expect((await server.call(other, owner)).outcome).toBe('ok');
    first.close();
    expect((await server.call(two, owner)).outcome).toBe('ok');
    expect((await server.call(one, owner)).outcome).toBe('too_many_requests');
  });

  it('a call that is refused because of its account’s limit does not use up the limit of its API key', () => {
    const slots = createKeySlots(1);
    const end = slots.call({ id: 1, account_id: 1 })!;
    expect(slots.call({ id: 2, account_id: 1 })).toBeNull();
    end();
    expect(slots.call({ id: 2, account_id: 1 })).not.toBeNull();
  });
});
