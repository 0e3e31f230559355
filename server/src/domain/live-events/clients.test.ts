import { expect, it } from 'vitest';
import type { Actor } from '#platform/auth/actor.ts';
import { Failure } from '#platform/fail.ts';
import { createClients } from './clients.ts';
import type { ClientsOptions } from './clients.ts';

const options = { limits: { perSession: 2, perAccount: 3, total: 4 } } as ClientsOptions;
const actor = (account_id: number, session_id: number) =>
  ({ account_id, session_id, role: 'user', made_under: null }) as Actor;

it('streams of live events are limited per session, per account and in total; closing one stream lets another one open', async () => {
  const clients = createClients(options);
  const open = (account_id: number, session_id: number) =>
    clients.add(actor(account_id, session_id), null, false);
  const refusedAt = (account_id: number, session_id: number): unknown => {
    try {
      return open(account_id, session_id);
    } catch (error) {
      return error instanceof Failure && error.code === 'too_many_streams'
        ? error.params['limit']
        : error;
    }
  };
  const first = open(1, 11);
  open(1, 11);
  expect(refusedAt(1, 11)).toBe(2);
  open(1, 12);
  expect(refusedAt(1, 13)).toBe(3);
  open(2, 21);
  expect(refusedAt(3, 31)).toBe(4);
  first.stream.body.destroy();
  await expect.poll(() => clients.all.size).toBe(3);
  expect(refusedAt(1, 11)).toHaveProperty('stream');
});

it('a manager and all accounts that the manager created share one limit of live-event streams, which leaves streams for other accounts', () => {
  const clients = createClients({
    limits: { perSession: 2, perAccount: 2, perManager: 3, total: 10 },
  } as ClientsOptions);
  const open = (account_id: number, role: Actor['role'], made_under: number | null) =>
    clients.add({ account_id, session_id: account_id, role, made_under } as Actor, null, false);
  open(1, 'partner', null);
  open(2, 'station', 1);
  open(3, 'user', 1);
  for (const [account, role, manager] of [
    [1, 'partner', null],
    [4, 'user', 1],
  ] as const)
    expect(() => open(account, role, manager)).toThrow(
      expect.objectContaining({ code: 'too_many_streams_of_manager', params: { limit: 3 } }),
    );
  // The limit per manager does not apply to an account without a manager or to admins.
  open(5, 'user', null);
  for (let account = 6; account < 12; account++) open(account, 'admin', null);
  expect(clients.all.size).toBe(10);
});
