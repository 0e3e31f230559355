import { expect, it } from 'vitest';
import type { Actor } from '#platform/auth/actor.ts';
import { Failure } from '#platform/fail.ts';
import { createClients } from './clients.ts';
import type { ClientsOptions } from './clients.ts';

const options = { limits: { perSession: 2, perAccount: 3, total: 4 } } as ClientsOptions;
const actor = (account_id: number, session_id: number) => ({ account_id, session_id }) as Actor;

it('streams are limited per session, per account and in all, and a closed one makes room', async () => {
  const clients = createClients(options);
  const open = (account_id: number, session_id: number) => clients.add(actor(account_id, session_id), null, false);
  const refusedAt = (account_id: number, session_id: number): unknown => {
    try {
      return open(account_id, session_id);
    } catch (error) {
      return error instanceof Failure && error.code === 'too_many_streams' ? error.params['limit'] : error;
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
